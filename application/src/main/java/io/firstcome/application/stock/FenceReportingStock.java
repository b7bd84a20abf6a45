package io.firstcome.application.stock;

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
import io.firstcome.domain.port.StockFencedException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A stock that reports each coupon with a fenced call. All results are those of the wrapped stock.
 */
public final class FenceReportingStock implements CouponStock {

  /** The result of calls that return nothing. */
  private static final boolean DONE = true;

  private final CouponStock stock;
  private final FencedCoupons fenced;

  public FenceReportingStock(CouponStock stock, FencedCoupons fenced) {
    this.stock = stock;
    this.fenced = fenced;
  }

  private <T> T reporting(StockAddress coupon, Supplier<T> call) {
    try {
      return call.get();
    } catch (StockFencedException e) {
      fenced.add(coupon);
      throw e;
    }
  }

  @Override
  public int maxCallsInFlight() {
    return stock.maxCallsInFlight();
  }

  @Override
  public int maxClaimsPerCall() {
    return stock.maxClaimsPerCall();
  }

  @Override
  public CompletionStage<List<ClaimOutcome>> claim(
      StockAddress coupon, @Nullable Campaign campaign, List<Claim> claims, Duration within) {
    var answer = stock.claim(coupon, campaign, claims, within);
    var _ =
        answer.whenComplete((_, failure) -> {
          if (isFenced(failure)) {
            fenced.add(coupon);
          }
        });
    return answer;
  }

  private static boolean isFenced(@Nullable Throwable failure) {
    return failure instanceof StockFencedException
        || (failure instanceof CompletionException wrapped
            && wrapped.getCause() instanceof StockFencedException);
  }

  @Override
  public void create(StockAddress coupon, @Nullable Campaign campaign, StockTerms terms) {
    reporting(
        coupon,
        () -> {
          stock.create(coupon, campaign, terms);
          return DONE;
        });
  }

  @Override
  public StockTerms apply(StockAddress coupon, StockTerms terms) {
    return reporting(coupon, () -> stock.apply(coupon, terms));
  }

  @Override
  public FreezeOutcome freeze(StockAddress coupon, int revision, Duration within) {
    return reporting(coupon, () -> stock.freeze(coupon, revision, within));
  }

  @Override
  public StockTerms terms(StockAddress coupon) {
    return reporting(coupon, () -> stock.terms(coupon));
  }

  /** Not reported: an archived coupon has no stock that could be missing. */
  @Override
  public void remove(StockAddress coupon) {
    stock.remove(coupon);
  }

  @Override
  public Map<UserId, LedgerMark> find(StockAddress coupon, List<UserId> users) {
    return reporting(coupon, () -> stock.find(coupon, users));
  }

  /** Not reported: it needs no stock of the coupon, so only the partition can be fenced. */
  @Override
  public LedgerPage ledger(StockAddress coupon, @Nullable String cursor) {
    return stock.ledger(coupon, cursor);
  }

  @Override
  public StockLevel level(StockAddress coupon) {
    return reporting(coupon, () -> stock.level(coupon));
  }

  @Override
  public List<Slot> returned(StockAddress coupon, @Nullable Slot after, int max) {
    return reporting(coupon, () -> stock.returned(coupon, after, max));
  }

  @Override
  public List<AdoptOutcome> adopt(StockAddress coupon, List<LateClaim> claims) {
    return reporting(coupon, () -> stock.adopt(coupon, claims));
  }

  @Override
  public void erase(StockAddress coupon, UserId user, UserId pseudonym) {
    reporting(
        coupon,
        () -> {
          stock.erase(coupon, user, pseudonym);
          return DONE;
        });
  }

  @Override
  public void expectPseudonyms(StockAddress coupon) {
    reporting(
        coupon,
        () -> {
          stock.expectPseudonyms(coupon);
          return DONE;
        });
  }

  @Override
  public ReleaseOutcome release(StockAddress coupon, UserId user, Slot slot, int generation) {
    return reporting(coupon, () -> stock.release(coupon, user, slot, generation));
  }
}
