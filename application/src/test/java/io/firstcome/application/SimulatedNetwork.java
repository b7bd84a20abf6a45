package io.firstcome.application;

import static java.util.Objects.requireNonNull;

import io.firstcome.domain.issuance.Claim;
import io.firstcome.domain.issuance.ClaimOutcome;
import io.firstcome.domain.issuance.StockAddress;
import io.firstcome.domain.port.BrokerUnavailableException;
import io.firstcome.domain.port.CouponStock;
import io.firstcome.domain.port.DatabaseUnavailableException;
import io.firstcome.domain.port.ServerUnavailableException;
import io.firstcome.domain.port.ServerUnavailableException.Effect;
import io.firstcome.domain.port.StockFencedException;
import io.firstcome.domain.port.StockRecovery;
import io.firstcome.domain.port.StockUnavailableException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * What lies between the instances and the servers: makes every call of a port wait for its turn,
 * and lets it meet with the faults of the weather.
 *
 * <p>Claim calls are asynchronous, and those of one instance travel on one connection: they take
 * effect and are answered in the order in which they were made, unless they are lost or late.
 */
final class SimulatedNetwork {

  /** Not calls: an adapter knows these by itself. */
  private static final Set<String> SETTINGS =
      Set.of("maxCallsInFlight", "maxClaimsPerCall", "toString", "hashCode", "equals");

  private final Schedule schedule;
  private final Weather weather;
  private final InstantSource clock;
  private final Witness witness;
  private final List<ClaimCall> claimCalls = new ArrayList<>();
  private final List<LateCall> late = new ArrayList<>();
  private final Map<Server, Long> newestDone = new EnumMap<>(Server.class);
  private long calls;

  SimulatedNetwork(Schedule schedule, Weather weather, InstantSource clock, Witness witness) {
    this.schedule = schedule;
    this.weather = weather;
    this.clock = clock;
    this.witness = witness;
  }

  /** Sees what the stock does with claims, whoever hears of it. */
  interface Witness {
    void took(StockAddress coupon, List<Claim> claims, List<ClaimOutcome> outcomes);
  }

  /** Who is called, and how a call to them fails whose effect is not known. */
  enum Server {
    STOCK,
    DATABASE,
    BROKER;

    private ServerUnavailableException unavailable(String why) {
      return switch (this) {
        case STOCK -> new StockUnavailableException(Effect.UNKNOWN, why, null);
        case DATABASE ->
            new DatabaseUnavailableException(Effect.UNKNOWN, why, new IllegalStateException(why));
        case BROKER -> new BrokerUnavailableException(why, null);
      };
    }
  }

  /** An instance, as far as the network knows it. */
  record Caller(String name, Schedule.Lifetime lifetime) {}

  /** A call of a port, numbered in the order in which calls are made. */
  private record Call(
      long number,
      Caller caller,
      Server server,
      Object target,
      Method method,
      List<@Nullable Object> arguments) {

    String name() {
      return method.getName();
    }

    Object argument(int place) {
      return requireNonNull(arguments.get(place));
    }

    @Nullable Object take() throws Throwable {
      try {
        return method.invoke(target, arguments.toArray());
      } catch (InvocationTargetException e) {
        throw e.getCause();
      }
    }
  }

  /** A call that its caller has given up. */
  private record LateCall(
      long number, Server server, String name, @Nullable Instant deadline, Work effect) {}

  private interface Work {
    void run() throws Throwable;
  }

  /** A claim call under way; it has a result once it took effect. */
  private static final class ClaimCall {
    private final Call call;
    private final Instant deadline;
    private final CompletableFuture<List<ClaimOutcome>> answer = new CompletableFuture<>();
    private @Nullable CompletableFuture<List<ClaimOutcome>> result;

    ClaimCall(Call call, Instant deadline) {
      this.call = call;
      this.deadline = deadline;
    }

    CompletableFuture<List<ClaimOutcome>> takeEffect(Instant now) {
      var stock = (CouponStock) call.target();
      return stock
          .claim(address(), claims(), Duration.between(now, deadline))
          .toCompletableFuture();
    }

    StockAddress address() {
      return (StockAddress) call.argument(0);
    }

    @SuppressWarnings("unchecked")
    List<Claim> claims() {
      return (List<Claim>) call.argument(1);
    }
  }

  /** The port as the caller sees it. */
  <P> P connect(Class<P> port, Caller caller, Server server, P target) {
    return port.cast(
        Proxy.newProxyInstance(
            port.getClassLoader(),
            new Class<?>[] {port},
            (proxy, method, arguments) -> {
              var given =
                  arguments == null ? List.<@Nullable Object>of() : Arrays.asList(arguments);
              var call = new Call(++calls, caller, server, target, method, given);
              if (SETTINGS.contains(call.name())) {
                return call.take();
              }
              caller.lifetime().mustGoOn();
              return call.name().equals("claim") ? send(call) : make(call);
            }));
  }

  private @Nullable Object make(Call call) throws Throwable {
    schedule.mayPause();
    var fault = weather.strikesCall(call.name());
    if (fault == Fault.CRASH_BEFORE_CALL) {
      throw crash(fault, call);
    } else if (fault == Fault.CALL_LOST) {
      schedule.struck(fault, call.caller().name() + " " + call.name());
      throw call.server().unavailable("the call was lost");
    } else if (fault == Fault.CALL_LATE) {
      late.add(new LateCall(call.number(), call.server(), call.name(), null, call::take));
      throw call.server().unavailable("the call did not come back");
    }
    var result = take(call);
    schedule.mayPause();
    if (fault == Fault.CRASH_AFTER_CALL) {
      throw crash(fault, call);
    } else if (fault == Fault.ANSWER_LOST) {
      schedule.struck(fault, call.caller().name() + " " + call.name());
      throw call.server().unavailable("the answer was lost");
    }
    return result;
  }

  private @Nullable Object take(Call call) throws Throwable {
    try {
      var result = call.take();
      if (call.name().equals("raise") && Boolean.FALSE.equals(result)) {
        schedule.struck(Fault.RECOVERER_OVERTAKEN, call.caller().name() + " " + call.name());
      }
      done(call.server(), call.number());
      schedule.note(call.caller().name(), call.name(), new Told(call.arguments(), result));
      return result;
    } catch (ServerUnavailableException e) {
      if (e instanceof StockFencedException && call.target() instanceof StockRecovery) {
        schedule.struck(Fault.RECOVERER_OVERTAKEN, call.caller().name() + " " + call.name());
      }
      schedule.note(call.caller().name(), call.name(), new Told(call.arguments(), e.getMessage()));
      // Who tries again must not keep the others from their turn.
      schedule.pause();
      throw e;
    }
  }

  private Schedule.Crashed crash(Fault fault, Call call) {
    schedule.struck(fault, call.caller().name() + " " + call.name());
    return call.caller().lifetime().end();
  }

  /** Put into words only if somebody reads the history. */
  private record Told(List<@Nullable Object> arguments, @Nullable Object result) {
    @Override
    public String toString() {
      return arguments + " -> " + result;
    }
  }

  private void done(Server server, long number) {
    newestDone.merge(server, number, Math::max);
  }

  private CompletionStage<List<ClaimOutcome>> send(Call call) {
    var claimCall = new ClaimCall(call, clock.instant().plus((Duration) call.argument(2)));
    claimCalls.add(claimCall);
    return claimCall.answer;
  }

  /** Lets the next thing happen to the claim calls of some instance. */
  void moveAClaimCall() {
    if (claimCalls.isEmpty()) {
      return;
    }
    var caller = schedule.oneOf(claimCalls).call.caller();
    var its = claimCalls.stream().filter(each -> each.call.caller().equals(caller)).toList();
    var waiting = its.stream().filter(each -> each.result == null).findFirst().orElse(null);
    var first = its.getFirst();
    if (first.result != null && (waiting == null || schedule.chance(0.5))) {
      answer(first);
    } else if (waiting != null) {
      deliver(waiting);
    }
  }

  private void deliver(ClaimCall claimCall) {
    var call = claimCall.call;
    var fault = weather.strikesClaimCallBefore();
    if (fault == null) {
      done(call.server(), call.number());
      claimCall.result = takeEffect(call.caller().name(), claimCall);
      return;
    }
    claimCalls.remove(claimCall);
    if (fault == Fault.CALL_LATE) {
      late.add(late(claimCall));
    } else {
      schedule.struck(fault, call.caller().name() + " claim");
    }
    claimCall.answer.completeExceptionally(Server.STOCK.unavailable("the call did not come back"));
  }

  private LateCall late(ClaimCall claimCall) {
    return new LateCall(
        claimCall.call.number(),
        Server.STOCK,
        "claim",
        claimCall.deadline,
        () -> {
          var _ = takeEffect("late", claimCall);
        });
  }

  private CompletableFuture<List<ClaimOutcome>> takeEffect(String who, ClaimCall claimCall) {
    var result = claimCall.takeEffect(clock.instant());
    if (!result.isCompletedExceptionally()) {
      witness.took(claimCall.address(), claimCall.claims(), result.join());
    }
    schedule.note(who, "claim", new Told(claimCall.call.arguments(), outcome(result)));
    return result;
  }

  private static String outcome(CompletableFuture<List<ClaimOutcome>> result) {
    return result.isCompletedExceptionally()
        ? String.valueOf(result.exceptionNow().getMessage())
        : result.join().toString();
  }

  private void answer(ClaimCall claimCall) {
    claimCalls.remove(claimCall);
    var result = claimCall.result;
    if (result == null) {
      throw new IllegalStateException("only a call that took effect has an answer");
    }
    if (weather.strikesClaimAnswer()) {
      schedule.struck(Fault.ANSWER_LOST, claimCall.call.caller().name() + " claim");
      claimCall.answer.completeExceptionally(Server.STOCK.unavailable("the answer was lost"));
    } else if (result.isCompletedExceptionally()) {
      claimCall.answer.completeExceptionally(result.exceptionNow());
    } else {
      claimCall.answer.complete(result.join());
    }
  }

  boolean hasClaimCalls() {
    return !claimCalls.isEmpty();
  }

  /** The instance has died: nobody waits for its calls, and some of them still arrive. */
  void hasDied(Caller caller) {
    for (var claimCall : List.copyOf(claimCalls)) {
      if (claimCall.call.caller().equals(caller)) {
        claimCalls.remove(claimCall);
        if (claimCall.result == null && weather.isPossible(Fault.CALL_LATE)) {
          late.add(late(claimCall));
        }
      }
    }
  }

  /** Lets one of the calls that were given up take effect. */
  void moveALateCall() {
    if (late.isEmpty()) {
      return;
    }
    var call = late.remove(schedule.below(late.size()));
    boolean past = call.deadline() != null && !clock.instant().isBefore(call.deadline());
    schedule.struck(past ? Fault.CALL_PAST_DEADLINE : Fault.CALL_LATE, call.name());
    if (newestDone.getOrDefault(call.server(), 0L) > call.number()) {
      schedule.struck(Fault.CALL_OVERTAKEN, call.name());
    }
    try {
      call.effect().run();
    } catch (ServerUnavailableException e) {
      schedule.note("late", call.name(), String.valueOf(e.getMessage()));
    } catch (Throwable e) {
      throw new AssertionError("a late call failed", e);
    }
  }

  boolean hasLateCalls() {
    return !late.isEmpty();
  }

  /** The server's connections end, and what it has not yet read of them. */
  void forgetLateCallsOf(Server server) {
    late.removeIf(call -> call.server() == server);
  }
}
