package io.firstcome.application.simulation;

import static java.util.Objects.requireNonNull;

import io.firstcome.application.simulation.SimulatedNetwork.Caller;
import io.firstcome.domain.port.DatabaseUnavailableException;
import io.firstcome.domain.port.ServerUnavailableException.Effect;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Instances that freeze in an open database transaction, one at a time: all tasks of the instance
 * are suspended, and the transaction keeps its locks until the instance resumes or the database
 * ends its session.
 */
final class SimulatedFreezes {

  private static final int FEW_STEPS = 20;
  private static final int MANY_STEPS = 200;

  private final Schedule schedule;
  private final FaultProfile faultProfile;
  private final InstantSource time;
  private @Nullable Frozen frozen;
  private boolean stays;
  private Duration longestStandstill = Duration.ZERO;

  SimulatedFreezes(Schedule schedule, FaultProfile faultProfile, InstantSource time) {
    this.schedule = schedule;
    this.faultProfile = faultProfile;
    this.time = time;
  }

  /** An instance that froze in a call, until that call has ended. */
  private static final class Frozen {
    private final Caller caller;
    private final DatabaseLocks locks;
    private final Instant since;
    private final int sessionEndsAt;
    private final int connectionEndsAt;
    private final int wakesAt;
    private boolean hasSession = true;
    private boolean hasConnection = true;
    private boolean isAwake;

    Frozen(Caller caller, DatabaseLocks locks, Instant since, Schedule schedule) {
      this.caller = caller;
      this.locks = locks;
      this.since = since;
      sessionEndsAt = soon(schedule);
      connectionEndsAt = soon(schedule);
      wakesAt = soon(schedule);
    }

    /** A random step, so that the three ends come in any order. */
    private static int soon(Schedule schedule) {
      return schedule.step() + 1 + schedule.below(schedule.chance(0.4) ? FEW_STEPS : MANY_STEPS);
    }
  }

  /** Whether an instance freezes now. */
  boolean strike() {
    return frozen == null && faultProfile.freezes();
  }

  /**
   * Freezes the calling instance within the transaction of its call, and commits when the instance
   * resumes.
   *
   * @throws DatabaseUnavailableException if the database has ended the session
   */
  @Nullable Object freezeBeforeCommit(SimulatedCall call, DatabaseLocks locks) throws Throwable {
    var fault =
        locks.areOfRaisedEpoch() ? SimulatedFault.RECOVERER_FROZEN : SimulatedFault.RECORDER_FROZEN;
    try {
      if (freeze(fault, call, locks)) {
        return call.take();
      }
    } finally {
      frozen = null;
    }
    throw new DatabaseUnavailableException(
        schedule.chance(0.5) ? Effect.NONE : Effect.UNKNOWN,
        "the session was ended",
        new IllegalStateException("idle in a transaction"));
  }

  /** Freezes the calling instance within its transaction that is about to publish. */
  @Nullable Object freezeBeforePublishing(SimulatedCall call) throws Throwable {
    try {
      var _ = freeze(SimulatedFault.PUBLISHER_FROZEN, call, DatabaseLocks.NONE);
      return call.take();
    } finally {
      frozen = null;
    }
  }

  /**
   * Returns when the instance resumes.
   *
   * @return whether its transaction is still open
   */
  private boolean freeze(SimulatedFault fault, SimulatedCall call, DatabaseLocks locks) {
    schedule.struck(fault, call.words());
    var begun = new Frozen(call.caller(), locks, time.instant(), schedule);
    frozen = begun;
    call.caller().lifetime().freeze();
    schedule.pause();
    schedule.struck(
        begun.hasSession ? SimulatedFault.FROZEN_RESUMES : SimulatedFault.FROZEN_SESSION_ENDED,
        call.words());
    return begun.hasSession;
  }

  /** Whether the transaction of a frozen instance holds a lock that conflicts with these. */
  boolean block(DatabaseLocks locks) {
    return frozen != null && frozen.hasSession && frozen.locks.conflictWith(locks);
  }

  /**
   * Ends the session and the connection of a frozen instance and resumes it, each at its time.
   *
   * @param sessionEnds gets the instance whose sessions the database ends
   * @param connectionEnds gets the instance whose connection the broker closes
   */
  void timePasses(Consumer<Caller> sessionEnds, Consumer<Caller> connectionEnds) {
    var instance = frozen;
    if (instance == null) {
      return;
    }
    if (instance.hasSession && schedule.step() >= instance.sessionEndsAt) {
      instance.hasSession = false;
      sessionEnds.accept(instance.caller);
    }
    if (instance.isAwake) {
      return;
    }
    if (instance.hasConnection && schedule.step() >= instance.connectionEndsAt) {
      instance.hasConnection = false;
      connectionEnds.accept(instance.caller);
    }
    if (!stays && schedule.step() >= instance.wakesAt) {
      wake();
    }
  }

  /** Ends all sessions, as when the database stops. */
  void endSessions() {
    if (frozen != null) {
      frozen.hasSession = false;
    }
  }

  boolean isAnyFrozen() {
    return frozen != null && !frozen.isAwake;
  }

  /** From now on an instance that is frozen stays so until {@link #wake()}. */
  void stay() {
    stays = true;
  }

  /** Resumes the instance. If its machine was suspended, its monotonic clock has stood still. */
  void wake() {
    var waking = requireNonNull(frozen);
    waking.isAwake = true;
    if (schedule.chance(0.3)) {
      var standstill = Duration.between(waking.since, time.instant());
      waking.caller.clocks().standStill(standstill);
      if (standstill.compareTo(longestStandstill) > 0) {
        longestStandstill = standstill;
      }
    }
    schedule.note(waking.caller.name(), "resumes", "");
    waking.caller.lifetime().thaw();
  }

  /** The longest time for which a monotonic clock has stood still. */
  Duration longestStandstill() {
    return longestStandstill;
  }
}
