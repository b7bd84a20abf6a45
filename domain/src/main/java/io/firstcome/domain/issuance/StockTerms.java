package io.firstcome.domain.issuance;

import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponStatus;
import io.firstcome.domain.coupon.IssuanceWindow;

/**
 * The part of a coupon that the stock backend needs in order to answer claims.
 *
 * @param isFrozen whether the stock allocates no slot until it gets newer terms (see {@link
 *     io.firstcome.domain.port.CouponStock#freeze}); false for the terms of a coupon
 */
public record StockTerms(
    int revision, CouponStatus status, int totalQuantity, IssuanceWindow window, boolean isFrozen) {

  public StockTerms {
    if (status == CouponStatus.DRAFT || status == CouponStatus.ARCHIVED) {
      throw new IllegalArgumentException("status must be one that a stock can have: " + status);
    }
  }

  public StockTerms(int revision, CouponStatus status, int totalQuantity, IssuanceWindow window) {
    this(revision, status, totalQuantity, window, false);
  }

  /** The same terms of a stock that is frozen. */
  public StockTerms frozen() {
    return new StockTerms(revision, status, totalQuantity, window, true);
  }

  public static StockTerms of(Coupon coupon) {
    return new StockTerms(
        coupon.revision(),
        coupon.status(),
        coupon.definition().totalQuantity(),
        coupon.definition().window());
  }
}
