package io.firstcome.application;

import static java.util.Objects.requireNonNull;

import io.firstcome.application.SimulatedCall.Told;
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
import org.jspecify.annotations.Nullable;

/**
 * What lies between the instances and the servers: makes every call of a port wait for its turn,
 * and lets it meet with the faults of the weather.
 */
final class SimulatedNetwork {

  /** Not calls: an adapter knows these by itself. */
  private static final Set<String> SETTINGS =
      Set.of("maxCallsInFlight", "maxClaimsPerCall", "toString", "hashCode", "equals");

  private final Schedule schedule;
  private final Weather weather;
  private final SimulatedFreezes freezes;
  private final SimulatedCouponLock couponLock;
  private final SimulatedScripts scripts;
  private final SimulatedClaimCalls claimCalls;
  private final SimulatedLateCalls late;
  private final Set<Caller> publishing = new HashSet<>();
  private long calls;

  SimulatedNetwork(
      Schedule schedule,
      Weather weather,
      SimulatedFreezes freezes,
      SimulatedCouponLock couponLock,
      SimulatedScripts scripts,
      SimulatedClaimCalls claimCalls,
      SimulatedLateCalls late) {
    this.schedule = schedule;
    this.weather = weather;
    this.freezes = freezes;
    this.couponLock = couponLock;
    this.scripts = scripts;
    this.claimCalls = claimCalls;
    this.late = late;
  }

  /** Who is called, and how a call to them fails whose effect is not known. */
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

  /** An instance, as far as the network knows it. */
  record Caller(String name, Schedule.Lifetime lifetime, SimulatedClocks clocks) {}

  /** The port as the caller sees it. */
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
    var fault = weather.strikesCall(call.name());
    if (fault == Fault.CRASH_BEFORE_CALL) {
      throw crash(fault, call);
    } else if (fault == Fault.CALL_LOST) {
      schedule.struck(fault, call.words());
      throw call.server().unavailable("the call was lost");
    } else if (fault == Fault.CALL_LATE) {
      late.add(call, null, () -> takeLate(call));
      throw call.server().unavailable("the call did not come back");
    }
    var result = take(call);
    schedule.mayPause();
    if (fault == Fault.CRASH_AFTER_CALL) {
      throw crash(fault, call);
    } else if (fault == Fault.ANSWER_LOST) {
      schedule.struck(fault, call.words());
      throw call.server().unavailable("the answer was lost");
    }
    return result;
  }

  private @Nullable Object take(SimulatedCall call) throws Throwable {
    try {
      var result = takeInTurn(call);
      if (call.name().equals("raise") && Boolean.FALSE.equals(result)) {
        schedule.struck(Fault.RECOVERER_OVERTAKEN, call.words());
      }
      late.done(call);
      schedule.note(call.caller().name(), call.name(), new Told(call.arguments(), result));
      return result;
    } catch (ServerUnavailableException e) {
      if (e instanceof StockFencedException && call.target() instanceof StockRecovery) {
        schedule.struck(Fault.RECOVERER_OVERTAKEN, call.words());
      }
      schedule.note(call.caller().name(), call.name(), new Told(call.arguments(), e.getMessage()));
      // Who tries again must not keep the others from their turn.
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
    if (freezes.block(locks)) {
      if (schedule.chance(0.5)) {
        throw lockNotGiven(call);
      }
      schedule.await(() -> !freezes.block(locks));
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

  /** The adapter loads the scripts and calls again; it gives up where they are lost once more. */
  private void needScripts(SimulatedCall call) {
    if (call.server() == Server.STOCK
        && scripts.areLost()
        && SimulatedScripts.isScript(call.name())) {
      if (schedule.chance(0.3)) {
        schedule.struck(Fault.CALL_WITHOUT_SCRIPT, call.words());
        throw new StockUnavailableException(Effect.NONE, "the stock did not know the script", null);
      }
      scripts.load();
    }
  }

  private DatabaseLockedException lockNotGiven(SimulatedCall call) {
    schedule.struck(Fault.LOCK_NOT_GIVEN, call.words());
    return new DatabaseLockedException(
        "the lock was not given in time", new IllegalStateException("locked"));
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

  /** Whether some call can go on although no task does. */
  boolean canMove() {
    return claimCalls.canMove() || !late.isEmpty();
  }

  void moveAClaimCall() {
    claimCalls.moveOne();
  }

  void moveALateCall() {
    late.moveOne();
  }

  /** The instance has died: nobody waits for its calls, and some of them still arrive. */
  void hasDied(Caller caller) {
    claimCalls.hasDied(caller);
  }

  void forgetLateCallsOf(Server server) {
    late.forgetThoseOf(server);
  }

  /** Whether a transaction of the caller is open that publishes events. */
  boolean isPublishing(Caller caller) {
    return publishing.contains(caller);
  }

  private void takeLate(SimulatedCall call) throws Throwable {
    if (couponLock.blocks(call) || freezes.block(call.locks())) {
      throw lockNotGiven(call);
    }
    needScripts(call);
    call.take();
  }

  private Schedule.Crashed crash(Fault fault, SimulatedCall call) {
    schedule.struck(fault, call.words());
    return call.caller().lifetime().end();
  }
}
