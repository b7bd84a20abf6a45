package io.firstcome.domain.issuance;

import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponStatus;
import io.firstcome.domain.coupon.IssuanceWindow;

/** The part of a coupon that the stock backend needs in order to answer claims. */
public record StockTerms(
    int revision, CouponStatus status, int totalQuantity, IssuanceWindow window) {

  public StockTerms {
    if (status == CouponStatus.ARCHIVED) {
      throw new IllegalArgumentException("status must be one that a stock can have: " + status);
    }
  }

  public static StockTerms of(Coupon coupon) {
    return new StockTerms(
        coupon.revision(),
        coupon.status(),
        coupon.definition().totalQuantity(),
        coupon.definition().window());
  }
}
