package io.firstcome.application.stock;

import io.firstcome.domain.coupon.Campaign;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.StockBackend;
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
import java.util.concurrent.CompletionStage;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The stocks of this deployment as one: each call goes to the backend of its address, without a
 * lookup. A call to a backend that the deployment does not have is fenced.
 */
public final class RoutingCouponStock implements CouponStock {

  private final Map<StockBackend, CouponStock> stocks;

  public RoutingCouponStock(Map<StockBackend, CouponStock> stocks) {
    this.stocks = Map.copyOf(stocks);
  }

  /**
   * The stock of the coupon, with its own limits.
   *
   * @throws StockFencedException if this deployment has no such backend
   */
  public CouponStock of(Coupon coupon) {
    return of(coupon.stockBackend());
  }

  private CouponStock of(StockAddress address) {
    return of(address.backend());
  }

  private CouponStock of(StockBackend backend) {
    var stock = stocks.get(backend);
    if (stock == null) {
      throw new StockFencedException("this deployment has no stock in " + backend);
    }
    return stock;
  }

  /** The smallest limit of all stocks. */
  @Override
  public int maxCallsInFlight() {
    return least(CouponStock::maxCallsInFlight);
  }

  /** The smallest limit of all stocks. */
  @Override
  public int maxClaimsPerCall() {
    return least(CouponStock::maxClaimsPerCall);
  }

  private int least(ToIntFunction<CouponStock> limit) {
    return stocks.values().stream().mapToInt(limit).min().orElseThrow();
  }

  @Override
  public CompletionStage<List<ClaimOutcome>> claim(
      StockAddress coupon, @Nullable Campaign campaign, List<Claim> claims, Duration within) {
    return of(coupon).claim(coupon, campaign, claims, within);
  }

  @Override
  public void create(StockAddress coupon, @Nullable Campaign campaign, StockTerms terms) {
    of(coupon).create(coupon, campaign, terms);
  }

  @Override
  public StockTerms apply(StockAddress coupon, StockTerms terms) {
    return of(coupon).apply(coupon, terms);
  }

  @Override
  public FreezeOutcome freeze(StockAddress coupon, int revision, Duration within) {
    return of(coupon).freeze(coupon, revision, within);
  }

  @Override
  public StockTerms terms(StockAddress coupon) {
    return of(coupon).terms(coupon);
  }

  @Override
  public void remove(StockAddress coupon) {
    of(coupon).remove(coupon);
  }

  @Override
  public Map<UserId, LedgerMark> find(StockAddress coupon, List<UserId> users) {
    return of(coupon).find(coupon, users);
  }

  @Override
  public LedgerPage ledger(StockAddress coupon, @Nullable String cursor) {
    return of(coupon).ledger(coupon, cursor);
  }

  @Override
  public StockLevel level(StockAddress coupon) {
    return of(coupon).level(coupon);
  }

  @Override
  public List<Slot> returned(StockAddress coupon, @Nullable Slot after, int max) {
    return of(coupon).returned(coupon, after, max);
  }

  @Override
  public List<AdoptOutcome> adopt(StockAddress coupon, List<LateClaim> claims) {
    return of(coupon).adopt(coupon, claims);
  }

  @Override
  public void erase(StockAddress coupon, UserId user, UserId pseudonym) {
    of(coupon).erase(coupon, user, pseudonym);
  }

  @Override
  public void expectPseudonyms(StockAddress coupon) {
    of(coupon).expectPseudonyms(coupon);
  }

  @Override
  public ReleaseOutcome release(StockAddress coupon, UserId user, Slot slot, int generation) {
    return of(coupon).release(coupon, user, slot, generation);
  }
}
