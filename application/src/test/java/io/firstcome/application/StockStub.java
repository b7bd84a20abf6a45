package io.firstcome.application;

import io.firstcome.domain.coupon.Campaign;
import io.firstcome.domain.handoff.LateClaim;
import io.firstcome.domain.issuance.AdoptOutcome;
import io.firstcome.domain.issuance.Claim;
import io.firstcome.domain.issuance.ClaimOutcome;
import io.firstcome.domain.issuance.FreezeOutcome;
import io.firstcome.domain.issuance.LedgerMark;
import io.firstcome.domain.issuance.LedgerPage;
import io.firstcome.domain.issuance.ReleaseOutcome;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.StockAddress;
import io.firstcome.domain.issuance.StockLevel;
import io.firstcome.domain.issuance.StockTerms;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.port.CouponStock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A stock that allocates ascending slots, collects its calls, and replies as a test decides. */
public final class StockStub implements CouponStock {

  /** A call without a reply yet. */
  public record Call(
      List<ClaimOutcome> outcomes,
      CompletableFuture<List<ClaimOutcome>> answer,
      Runnable beforeAnswer) {

    public void reply() {
      beforeAnswer.run();
      answer.complete(outcomes);
    }
  }

  private final int maxCallsInFlight;
  private final int maxClaimsPerCall;
  private final List<Claim> arrived = new ArrayList<>();
  private final List<Integer> callSizes = new ArrayList<>();
  private int inFlight;
  private int mostInFlight;
  private int nextSlot = 1;
  private Function<Call, CompletionStage<List<ClaimOutcome>>> behaviour =
      call -> {
        call.reply();
        return call.answer();
      };

  public StockStub(int maxCallsInFlight, int maxClaimsPerCall) {
    this.maxCallsInFlight = maxCallsInFlight;
    this.maxClaimsPerCall = maxClaimsPerCall;
  }

  /** Sets how the next calls reply. */
  public synchronized void behave(Function<Call, CompletionStage<List<ClaimOutcome>>> next) {
    behaviour = next;
  }

  public synchronized List<UserId> arrived() {
    return arrived.stream().map(Claim::userId).toList();
  }

  /** Whether each claim that arrived had a pseudonym, in the order of their arrival. */
  public synchronized List<Boolean> withPseudonyms() {
    return arrived.stream().map(claim -> claim.pseudonym() != null).toList();
  }

  public synchronized List<Integer> callSizes() {
    return List.copyOf(callSizes);
  }

  public synchronized int mostInFlight() {
    return mostInFlight;
  }

  @Override
  public int maxCallsInFlight() {
    return maxCallsInFlight;
  }

  @Override
  public int maxClaimsPerCall() {
    return maxClaimsPerCall;
  }

  @Override
  public CompletionStage<List<ClaimOutcome>> claim(
      StockAddress coupon, @Nullable Campaign campaign, List<Claim> claims, Duration within) {
    Function<Call, CompletionStage<List<ClaimOutcome>>> next;
    Call call;
    synchronized (this) {
      var outcomes = new ArrayList<ClaimOutcome>();
      for (var claim : claims) {
        arrived.add(claim);
        outcomes.add(new ClaimOutcome.Accepted(new Slot(nextSlot++)));
      }
      callSizes.add(claims.size());
      inFlight++;
      mostInFlight = Math.max(mostInFlight, inFlight);
      call = new Call(outcomes, new CompletableFuture<>(), this::ended);
      next = behaviour;
    }
    return next.apply(call);
  }

  private synchronized void ended() {
    inFlight--;
  }

  @Override
  public void create(StockAddress coupon, @Nullable Campaign campaign, StockTerms terms) {
    throw new UnsupportedOperationException();
  }

  @Override
  public StockTerms apply(StockAddress coupon, StockTerms terms) {
    throw new UnsupportedOperationException();
  }

  @Override
  public FreezeOutcome freeze(StockAddress coupon, int revision, Duration within) {
    throw new UnsupportedOperationException();
  }

  @Override
  public StockTerms terms(StockAddress coupon) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void remove(StockAddress coupon) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Map<UserId, LedgerMark> find(StockAddress coupon, List<UserId> users) {
    throw new UnsupportedOperationException();
  }

  @Override
  public LedgerPage ledger(StockAddress coupon, @Nullable String cursor) {
    throw new UnsupportedOperationException();
  }

  @Override
  public StockLevel level(StockAddress coupon) {
    throw new UnsupportedOperationException();
  }

  @Override
  public List<Slot> returned(StockAddress coupon, @Nullable Slot after, int max) {
    throw new UnsupportedOperationException();
  }

  @Override
  public List<AdoptOutcome> adopt(StockAddress coupon, List<LateClaim> claims) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void erase(StockAddress coupon, UserId user, UserId pseudonym) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void expectPseudonyms(StockAddress coupon) {
    throw new UnsupportedOperationException();
  }

  @Override
  public ReleaseOutcome release(StockAddress coupon, UserId user, Slot slot, int generation) {
    throw new UnsupportedOperationException();
  }
}
