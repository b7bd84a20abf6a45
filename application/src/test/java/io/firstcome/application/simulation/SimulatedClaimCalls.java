package io.firstcome.application.simulation;

import io.firstcome.application.simulation.SimulatedCall.CallTrace;
import io.firstcome.application.simulation.SimulatedNetwork.Caller;
import io.firstcome.application.simulation.SimulatedNetwork.Server;
import io.firstcome.domain.coupon.Campaign;
import io.firstcome.domain.issuance.Claim;
import io.firstcome.domain.issuance.ClaimOutcome;
import io.firstcome.domain.issuance.StockAddress;
import io.firstcome.domain.port.CouponStock;
import io.firstcome.domain.port.StockFencedException;
import io.firstcome.domain.port.StockUnavailableException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The asynchronous claim calls. Calls of one instance share a connection: they take effect and are
 * answered in the order in which they were made, unless they are lost or late.
 */
final class SimulatedClaimCalls {

  private final Schedule schedule;
  private final FaultProfile faultProfile;
  private final InstantSource time;
  private final SimulatedServerClock stockClock;
  private final SimulatedScripts scripts;
  private final SimulatedLateCalls late;
  private final Witness witness;
  private final List<ClaimCall> calls = new ArrayList<>();

  SimulatedClaimCalls(
      SimulationSetting setting,
      SimulatedServerClock stockClock,
      SimulatedScripts scripts,
      SimulatedLateCalls late,
      Witness witness) {
    schedule = setting.schedule();
    faultProfile = setting.faultProfile();
    time = setting.time();
    this.stockClock = stockClock;
    this.scripts = scripts;
    this.late = late;
    this.witness = witness;
  }

  /** Observes the outcomes of claims, also of those whose reply is lost. */
  interface Witness {
    void took(StockAddress coupon, List<Claim> claims, List<ClaimOutcome> outcomes);

    /** The caller cannot know the outcomes of the claims. */
    void leftOpen(StockAddress coupon, List<Claim> claims);
  }

  /** A claim call in flight; it has a result once it has taken effect. */
  private static final class ClaimCall {
    private final SimulatedCall call;
    private final Instant deadline;
    private final SimulatedClocks.Span span;
    private final CompletableFuture<List<ClaimOutcome>> answer = new CompletableFuture<>();
    private @Nullable CompletableFuture<List<ClaimOutcome>> result;
    private boolean metNoScript;

    ClaimCall(SimulatedCall call, Instant deadline, SimulatedClocks.Span span) {
      this.call = call;
      this.deadline = deadline;
      this.span = span;
    }

    StockAddress address() {
      return (StockAddress) call.argument(0);
    }

    @SuppressWarnings("unchecked")
    List<Claim> claims() {
      return (List<Claim>) call.argument(2);
    }

    @Nullable Campaign campaign() {
      return (Campaign) call.arguments().get(1);
    }

    boolean isOf(Caller caller) {
      return call.caller().equals(caller);
    }

    /** Whether the call can proceed: a frozen caller reads no reply. */
    boolean canMove() {
      return result == null || !call.caller().lifetime().isFrozen();
    }
  }

  CompletionStage<List<ClaimOutcome>> send(SimulatedCall call) {
    var within = (Duration) call.argument(3);
    try {
      var span = call.caller().clocks().from(within);
      var claimCall = new ClaimCall(call, time.instant().plus(within), span);
      calls.add(claimCall);
      return claimCall.answer;
    } catch (StockUnavailableException e) {
      schedule.note(call.caller().name(), "claim", String.valueOf(e.getMessage()));
      return CompletableFuture.failedStage(e);
    }
  }

  boolean canMove() {
    return calls.stream().anyMatch(ClaimCall::canMove);
  }

  /** Delivers the next call, or the next reply, of a random instance. */
  void moveOne() {
    var movable = calls.stream().filter(ClaimCall::canMove).toList();
    if (movable.isEmpty()) {
      return;
    }
    var caller = schedule.oneOf(movable).call.caller();
    var ofCaller = movable.stream().filter(each -> each.isOf(caller)).toList();
    var waiting = ofCaller.stream().filter(each -> each.result == null).findFirst().orElse(null);
    var first = ofCaller.getFirst();
    if (first.result != null && (waiting == null || schedule.chance(0.5))) {
      answer(first, first.result);
    } else if (waiting != null) {
      deliver(waiting);
    }
  }

  private void deliver(ClaimCall claimCall) {
    var fault = faultProfile.strikesClaimCallBefore();
    if (fault == null) {
      late.done(claimCall.call);
      claimCall.result = takeEffect(claimCall.call.caller().name(), claimCall);
      return;
    }
    calls.remove(claimCall);
    if (fault == SimulatedFault.CALL_LATE) {
      late.add(claimCall.call, claimCall.deadline, () -> takeEffectLate(claimCall));
    } else {
      schedule.struck(fault, claimCall.call.words());
    }
    leaveOpen(claimCall, "the call had no reply");
  }

  private void takeEffectLate(ClaimCall claimCall) {
    var _ = takeEffect("late", claimCall);
  }

  private CompletableFuture<List<ClaimOutcome>> takeEffect(String who, ClaimCall claimCall) {
    var result = result(claimCall);
    if (!result.isCompletedExceptionally()) {
      witness.took(claimCall.address(), claimCall.claims(), result.join());
    }
    schedule.note(who, "claim", new CallTrace(claimCall.call.arguments(), outcome(result)));
    return result;
  }

  private CompletableFuture<List<ClaimOutcome>> result(ClaimCall claimCall) {
    if (scripts.areLost()) {
      claimCall.metNoScript = true;
      schedule.struck(SimulatedFault.CLAIM_WITHOUT_SCRIPT, claimCall.call.words());
      return CompletableFuture.failedFuture(
          new StockFencedException("the stock did not know the script of claims"));
    }
    boolean inTime = claimCall.span.contains(stockClock.instant());
    if (!inTime && time.instant().isBefore(claimCall.deadline)) {
      schedule.struck(SimulatedFault.CLAIM_DURING_JUMP, claimCall.call.words());
    }
    var stock = (CouponStock) claimCall.call.target();
    return stock
        .claim(
            claimCall.address(),
            claimCall.campaign(),
            claimCall.claims(),
            inTime ? (Duration) claimCall.call.argument(3) : Duration.ZERO)
        .toCompletableFuture();
  }

  private static String outcome(CompletableFuture<List<ClaimOutcome>> result) {
    return result.isCompletedExceptionally()
        ? String.valueOf(result.exceptionNow().getMessage())
        : result.join().toString();
  }

  private void answer(ClaimCall claimCall, CompletableFuture<List<ClaimOutcome>> result) {
    calls.remove(claimCall);
    if (faultProfile.strikesClaimAnswer()) {
      schedule.struck(SimulatedFault.ANSWER_LOST, claimCall.call.words());
      leaveOpen(claimCall, "the reply was lost");
    } else if (result.isCompletedExceptionally()) {
      var failure = result.exceptionNow();
      if (claimCall.metNoScript) {
        // Before the next command on this connection.
        scripts.load();
      }
      claimCall.answer.completeExceptionally(failure);
    } else {
      claimCall.answer.complete(result.join());
    }
  }

  private void leaveOpen(ClaimCall claimCall, String why) {
    witness.leftOpen(claimCall.address(), claimCall.claims());
    claimCall.answer.completeExceptionally(Server.STOCK.unavailable(why));
  }

  /** The instance has died: its calls get no reply, and some of them still take effect. */
  void hasDied(Caller caller) {
    for (var claimCall : List.copyOf(calls)) {
      if (claimCall.isOf(caller)) {
        calls.remove(claimCall);
        if (claimCall.result == null && faultProfile.isPossible(SimulatedFault.CALL_LATE)) {
          late.add(claimCall.call, claimCall.deadline, () -> takeEffectLate(claimCall));
        }
      }
    }
  }
}
