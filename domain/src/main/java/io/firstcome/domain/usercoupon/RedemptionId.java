package io.firstcome.domain.usercoupon;

import io.firstcome.domain.shop.OrderId;

/**
 * The id of a redemption: {@code <userCouponId>:<orderId>}. A user coupon is taken at most once for
 * an order, so a retry gets the same id.
 */
public record RedemptionId(UserCouponId userCouponId, OrderId orderId) {

  /**
   * Parses an id.
   *
   * @throws IllegalArgumentException if the text is not an id
   */
  public static RedemptionId parse(String text) {
    int colon = text.indexOf(':');
    if (colon < 0) {
      throw new IllegalArgumentException("redemptionId must be <userCouponId>:<orderId>");
    }
    return new RedemptionId(
        UserCouponId.parse(text.substring(0, colon)), new OrderId(text.substring(colon + 1)));
  }

  @Override
  public String toString() {
    return userCouponId + ":" + orderId;
  }
}
