package io.firstcome.application.rehearsal;

import io.firstcome.application.reconciliation.ExactnessProof;
import io.firstcome.application.reconciliation.ProveExactness;
import io.firstcome.domain.coupon.StockBackend;
import io.firstcome.domain.port.CouponRepository;
import io.firstcome.domain.port.Rehearsals;
import io.firstcome.domain.port.ServerUnavailableException;
import io.firstcome.domain.port.StockServer;
import io.firstcome.domain.port.UserCouponRepository;
import io.firstcome.domain.rehearsal.CrowdResult;
import io.firstcome.domain.rehearsal.Rehearsal;
import io.firstcome.domain.rehearsal.RehearsalPlan;
import io.firstcome.domain.rehearsal.RehearsalResult;
import io.firstcome.domain.usercoupon.Actor;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Runs a rehearsal: defines the clone, has the crowd claim it, waits until all accepted claims are
 * rows, and proves that they are exactly those. {@link RemoveRehearsal} removes what it leaves.
 */
public final class RunRehearsal {

  private static final Duration RECORDED_WITHIN = Duration.ofMinutes(2);
  private static final Duration LOOK_EVERY = Duration.ofMillis(100);
  private static final Duration NOTE_EVERY = Duration.ofSeconds(1);

  /** The pause after a count of the rows, in times of that count: it hardly disturbs the drop. */
  private static final int PAUSE_PER_COUNT = 10;

  private final Rehearsals rehearsals;
  private final CouponRepository coupons;
  private final RehearsalClones clones;
  private final UserCouponRepository userCoupons;
  private final ProveExactness proveExactness;
  private final Crowd crowd;
  private final @Nullable StockServer stockServer;
  private final InstantSource clock;

  /**
   * @param stockServer null if the stock of all coupons is in the database
   */
  public RunRehearsal(
      Rehearsals rehearsals,
      CouponRepository coupons,
      RehearsalClones clones,
      UserCouponRepository userCoupons,
      ProveExactness proveExactness,
      Crowd crowd,
      @Nullable StockServer stockServer,
      InstantSource clock) {
    this.rehearsals = rehearsals;
    this.coupons = coupons;
    this.clones = clones;
    this.userCoupons = userCoupons;
    this.proveExactness = proveExactness;
    this.crowd = crowd;
    this.stockServer = stockServer;
    this.clock = clock;
  }

  /**
   * Runs it to its end, also if it is stopped meanwhile.
   *
   * @throws ServerUnavailableException if a server was not reachable when its clone was defined or
   *     its result was to be stored; it has no result then
   */
  public void run(Rehearsal rehearsal) throws InterruptedException {
    boolean done = false;
    try {
      done = attempt(rehearsal);
    } finally {
      if (!done) {
        rehearsals.stop(rehearsal.id(), Actor.REHEARSAL, clock.instant());
      }
    }
  }

  /** Returns whether it has a result. */
  private boolean attempt(Rehearsal rehearsal) throws InterruptedException {
    var plan = rehearsal.plan();
    var planned = coupons.find(plan.couponId()).orElse(null);
    // It can have been stopped while it waited for this instance.
    if (planned == null || !rehearsals.goesOn(rehearsal.id(), 0)) {
      return false;
    }
    // If this instance was frozen meanwhile, others have ended the rehearsal.
    if (!clones.define(rehearsal, planned) || !rehearsals.goesOn(rehearsal.id(), 0)) {
      return false;
    }
    var bytesBefore = planned.stockBackend() == StockBackend.REDIS ? usedBytes() : null;
    var rows = new RowWatch(rehearsal, System.nanoTime());
    var answered = crowd.claim(plan, rehearsal.cloneId(), rows::goesOn);
    if (!rows.await(answered)) {
      return false;
    }
    var proof = rows.proof;
    var bytesAfter = bytesBefore == null ? null : usedBytes();
    rehearsals.end(
        rehearsal.id(),
        new RehearsalResult(
            answered,
            rows.recordedAfter,
            proof == null
                ? List.of("The stock and the database could not be compared.")
                : faults(proof, answered, plan),
            bytesBefore == null || bytesAfter == null
                ? null
                : (Long) Math.max(0, bytesAfter - bytesBefore)));
    return true;
  }

  private @Nullable Long usedBytes() {
    try {
      return stockServer == null ? null : (Long) stockServer.read().usedBytes();
    } catch (ServerUnavailableException e) {
      return null;
    }
  }

  /** Notices when all accepted claims are rows, and proves it. */
  private final class RowWatch {

    private final Rehearsal rehearsal;
    private final long begun;
    private final long expected;
    private @Nullable Duration recordedAfter;
    private @Nullable ExactnessProof proof;
    private int answers;
    private long nextNote;
    private long nextCount;

    RowWatch(Rehearsal rehearsal, long begun) {
      this.rehearsal = rehearsal;
      this.begun = begun;
      this.expected = Math.min(rehearsal.plan().users(), rehearsal.plan().quantity());
      this.nextNote = begun;
      this.nextCount = begun;
    }

    /**
     * Notes how far the crowd is, and counts the rows while claims are still being answered.
     *
     * @return false if the rehearsal was stopped
     */
    boolean goesOn(int answers) {
      this.answers = answers;
      boolean goesOn = true;
      try {
        goesOn = note();
        if (recordedAfter == null && answers >= expected && System.nanoTime() - nextCount >= 0) {
          countRows();
        }
      } catch (ServerUnavailableException e) {
        // The crowd goes on, as customers do.
      }
      return goesOn;
    }

    private void countRows() {
      long begin = System.nanoTime();
      boolean areAllRecorded = rows() == expected;
      long end = System.nanoTime();
      if (areAllRecorded) {
        recordedAfter = Duration.ofNanos(end - begun);
      }
      nextCount = end + (end - begin) * PAUSE_PER_COUNT;
    }

    /** Returns false if the rehearsal was stopped, as far as it is known. */
    private boolean note() {
      if (System.nanoTime() - nextNote < 0) {
        return true;
      }
      nextNote = System.nanoTime() + NOTE_EVERY.toNanos();
      return rehearsals.goesOn(rehearsal.id(), answers);
    }

    private long rows() {
      return userCoupons.countByState(rehearsal.cloneId(), clock.instant()).values().stream()
          .mapToLong(count -> count)
          .sum();
    }

    /**
     * Waits until all accepted claims are rows, or the limit of time, and compares them with the
     * stock. A server that is away comes back, or the time is over.
     *
     * @return false if the rehearsal was stopped
     */
    boolean await(CrowdResult answered) throws InterruptedException {
      long end = System.nanoTime() + RECORDED_WITHIN.toNanos();
      boolean isOver = false;
      while (!isOver) {
        if (!goesOn(answered.answers())) {
          return false;
        }
        isOver = System.nanoTime() > end;
        try {
          // The comparison costs more than counting the rows.
          if (isOver || recordedAfter != null || rows() >= answered.accepted()) {
            isOver |= isProven();
          }
        } catch (ServerUnavailableException e) {
          proof = null;
        }
        if (!isOver) {
          Thread.sleep(LOOK_EVERY);
        }
      }
      return true;
    }

    /** A comparison can take longer than the time after which an instance counts as ended. */
    private void noteThatItGoesOn() {
      try {
        var _ = note();
      } catch (ServerUnavailableException e) {
        // The comparison finds out, too.
      }
    }

    private boolean isProven() {
      var found = proveExactness.prove(rehearsal.cloneId(), this::noteThatItGoesOn).orElse(null);
      proof = found;
      boolean isRecorded = found != null && found.unrecorded() == 0;
      if (isRecorded && recordedAfter == null) {
        recordedAfter = Duration.ofNanos(System.nanoTime() - begun);
      }
      return isRecorded;
    }
  }

  private static List<String> faults(
      ExactnessProof proof, CrowdResult answered, RehearsalPlan plan) {
    var faults = new ArrayList<String>();
    addIf(proof.unrecorded(), "accepted claims are not recorded", faults);
    addIf(proof.missing(), "accepted claims are lost", faults);
    addIf(proof.extra(), "rows have no claim in the stock", faults);
    addIf(proof.lost(), "slots have no user and cannot be claimed", faults);
    addIf(proof.duplicateUsers(), "users have more than one row", faults);
    addIf(
        answered.accepted() - proof.slotsUsed(),
        "users were promised a coupon and have none",
        faults);
    // The outcome of a claim without an answer is not known.
    addIf(
        proof.slotsUsed() - answered.accepted() - answered.failed(),
        "slots were given to users who were refused",
        faults);
    addIf(proof.slotsUsed() - plan.quantity(), "more slots were given than there are", faults);
    return faults;
  }

  private static void addIf(long number, String what, List<String> faults) {
    if (number > 0) {
      faults.add("%d %s.".formatted(number, what));
    }
  }
}
