package io.firstcome.application.simulation;

import static java.util.Objects.requireNonNull;

import io.firstcome.application.simulation.SimulatedCall.CallTrace;
import io.firstcome.domain.port.BrokerUnavailableException;
import io.firstcome.domain.port.DatabaseLockedException;
import io.firstcome.domain.port.DatabaseUnavailableException;
import io.firstcome.domain.port.ServerUnavailableException;
import io.firstcome.domain.port.ServerUnavailableException.Effect;
import io.firstcome.domain.port.StockFencedException;
import io.firstcome.domain.port.StockRecovery;
import io.firstcome.domain.port.StockUnavailableException;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The network between instances and servers: schedules every call of a port, and applies the faults
 * of {@link FaultProfile} to it.
 */
final class SimulatedNetwork {

  /** Methods that an adapter answers without a call to its server. */
  private static final Set<String> SETTINGS =
      Set.of("maxCallsInFlight", "maxClaimsPerCall", "toString", "hashCode", "equals");

  private final Schedule schedule;
  private final FaultProfile faultProfile;
  private final SimulatedFreezes freezes;
  private final SimulatedCouponLock couponLock;
  private final SimulatedScripts scripts;
  private final SimulatedClaimCalls claimCalls;
  private final SimulatedLateCalls late;
  private final Set<Caller> publishing = new HashSet<>();
  private Predicate<DatabaseLocks> erasuresBlock = locks -> false;
  private long calls;

  SimulatedNetwork(
      Schedule schedule,
      FaultProfile faultProfile,
      SimulatedFreezes freezes,
      SimulatedCouponLock couponLock,
      SimulatedScripts scripts,
      SimulatedClaimCalls claimCalls,
      SimulatedLateCalls late) {
    this.schedule = schedule;
    this.faultProfile = faultProfile;
    this.freezes = freezes;
    this.couponLock = couponLock;
    this.scripts = scripts;
    this.claimCalls = claimCalls;
    this.late = late;
  }

  /** The called server, and the failure of a call to it whose effect is unknown. */
  enum Server {
    STOCK,
    DATABASE,
    BROKER;

    ServerUnavailableException unavailable(String why) {
      return switch (this) {
        case STOCK -> new StockUnavailableException(Effect.UNKNOWN, why, null);
        case DATABASE ->
            new DatabaseUnavailableException(Effect.UNKNOWN, why, new IllegalStateException(why));
        case BROKER -> new BrokerUnavailableException(why, null);
      };
    }
  }

  /** An instance, as the network sees it. */
  record Caller(String name, Schedule.Lifetime lifetime, SimulatedClocks clocks) {}

  /** The port whose calls go through the network. */
  <P> P connect(Class<P> port, Caller caller, Server server, P target) {
    return port.cast(
        Proxy.newProxyInstance(
            port.getClassLoader(),
            new Class<?>[] {port},
            (proxy, method, arguments) -> {
              var given =
                  arguments == null ? List.<@Nullable Object>of() : Arrays.asList(arguments);
              var call = new SimulatedCall(++calls, caller, server, target, method, given);
              if (SETTINGS.contains(call.name())) {
                return call.take();
              }
              caller.lifetime().mustGoOn();
              return call.name().equals("claim") ? claimCalls.send(call) : make(call);
            }));
  }

  private @Nullable Object make(SimulatedCall call) throws Throwable {
    schedule.mayPause();
    var fault = faultProfile.strikesCall(call);
    if (fault == SimulatedFault.CRASH_BEFORE_CALL) {
      throw crash(fault, call);
    } else if (fault == SimulatedFault.CALL_LOST) {
      schedule.struck(fault, call.words());
      throw call.server().unavailable("the call was lost");
    } else if (fault == SimulatedFault.CALL_LATE) {
      late.add(call, null, () -> takeLate(call));
      throw call.server().unavailable("the call had no reply");
    }
    var result = take(call);
    schedule.mayPause();
    if (fault == SimulatedFault.CRASH_AFTER_CALL) {
      throw crash(fault, call);
    } else if (fault == SimulatedFault.ANSWER_LOST) {
      schedule.struck(fault, call.words());
      throw call.server().unavailable("the reply was lost");
    }
    return result;
  }

  private @Nullable Object take(SimulatedCall call) throws Throwable {
    try {
      var result = takeInTurn(call);
      if (call.name().equals("raise") && Boolean.FALSE.equals(result)) {
        schedule.struck(SimulatedFault.RECOVERER_OVERTAKEN, call.words());
      }
      late.done(call);
      schedule.note(call.caller().name(), call.name(), new CallTrace(call.arguments(), result));
      return result;
    } catch (ServerUnavailableException e) {
      if (e instanceof StockFencedException && call.target() instanceof StockRecovery) {
        schedule.struck(SimulatedFault.RECOVERER_OVERTAKEN, call.words());
      }
      schedule.note(
          call.caller().name(), call.name(), new CallTrace(call.arguments(), e.getMessage()));
      // A task that retries must not block the others.
      schedule.pause();
      throw e;
    }
  }

  private @Nullable Object takeInTurn(SimulatedCall call) throws Throwable {
    needScripts(call);
    if (couponLock.blocks(call)) {
      throw lockNotGiven(call);
    }
    var locks = call.locks();
    if (areLocked(locks)) {
      if (schedule.chance(0.5)) {
        throw lockNotGiven(call);
      }
      schedule.await(() -> !areLocked(locks));
    }
    if (!locks.isEmpty() && freezes.strike()) {
      return freezes.freezeBeforeCommit(call, locks);
    }
    return switch (call.name()) {
      case "lockedAmong" ->
          couponLock.lockedAmong((Set<?>) requireNonNull(call.arguments().getFirst()));
      case "publishNext" -> publishNext(call);
      case "publish" ->
          isPublishing(call.caller()) && freezes.strike()
              ? freezes.freezeBeforePublishing(call)
              : call.take();
      default -> call.take();
    };
  }

  private boolean areLocked(DatabaseLocks locks) {
    return freezes.block(locks) || erasuresBlock.test(locks);
  }

  /** Transactions that erase users hold locks of this kind. */
  void erasuresBlock(Predicate<DatabaseLocks> locks) {
    erasuresBlock = locks;
  }

  /** Loads lost scripts and retries, as the adapter does; fails if they are lost again. */
  private void needScripts(SimulatedCall call) {
    if (call.server() == Server.STOCK
        && scripts.areLost()
        && SimulatedScripts.isScript(call.name())) {
      if (schedule.chance(0.3)) {
        schedule.struck(SimulatedFault.CALL_WITHOUT_SCRIPT, call.words());
        throw new StockUnavailableException(Effect.NONE, "the stock did not know the script", null);
      }
      scripts.load();
    }
  }

  private DatabaseLockedException lockNotGiven(SimulatedCall call) {
    schedule.struck(SimulatedFault.LOCK_NOT_GRANTED, call.words());
    return new DatabaseLockedException(
        "timeout while waiting for the lock", new IllegalStateException("locked"));
  }

  private @Nullable Object publishNext(SimulatedCall call) throws Throwable {
    publishing.add(call.caller());
    try {
      return call.take();
    } finally {
      publishing.remove(call.caller());
    }
  }

  SimulatedFreezes freezes() {
    return freezes;
  }

  SimulatedCouponLock couponLock() {
    return couponLock;
  }

  SimulatedScripts scripts() {
    return scripts;
  }

  /** Whether a call can proceed although no task is ready. */
  boolean canMove() {
    return claimCalls.canMove() || !late.isEmpty();
  }

  void moveAClaimCall() {
    claimCalls.moveOne();
  }

  void moveALateCall() {
    late.moveOne();
  }

  /** The instance has died: its calls get no reply, and some of them still take effect. */
  void hasDied(Caller caller) {
    claimCalls.hasDied(caller);
  }

  void forgetLateCallsOf(Server server) {
    late.forgetThoseOf(server);
  }

  /** Whether the caller has an open transaction that publishes events. */
  boolean isPublishing(Caller caller) {
    return publishing.contains(caller);
  }

  private void takeLate(SimulatedCall call) throws Throwable {
    if (couponLock.blocks(call) || areLocked(call.locks())) {
      throw lockNotGiven(call);
    }
    needScripts(call);
    call.take();
  }

  private Schedule.Crashed crash(SimulatedFault fault, SimulatedCall call) {
    schedule.struck(fault, call.words());
    return call.caller().lifetime().end();
  }
}
