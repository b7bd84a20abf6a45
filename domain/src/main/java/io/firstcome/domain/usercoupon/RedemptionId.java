package io.firstcome.domain.usercoupon;

/**
 * The name of a redemption: {@code <userCouponId>:<orderId>}. One user coupon is taken once for an
 * order, so the name needs nothing more, and whoever asks again gets the same one.
 */
public record RedemptionId(UserCouponId userCouponId, OrderId orderId) {

  /**
   * The id that the text spells.
   *
   * @throws IllegalArgumentException if it spells none
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
