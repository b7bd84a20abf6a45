package io.firstcome.domain.usercoupon;

import io.firstcome.domain.coupon.CouponId;

/** The id of one user coupon: {@code <couponId>.<tag>}. It reveals no slot, user or code. */
public record UserCouponId(CouponId couponId, String tag) {

  public UserCouponId {
    CrockfordBase32.requireText("tag", tag);
  }

  /**
   * Parses an id.
   *
   * @throws IllegalArgumentException if the text is not an id
   */
  public static UserCouponId parse(String text) {
    int dot = text.indexOf('.');
    if (dot < 0) {
      throw new IllegalArgumentException("userCouponId must be <couponId>.<tag>");
    }
    return new UserCouponId(new CouponId(text.substring(0, dot)), text.substring(dot + 1));
  }

  @Override
  public String toString() {
    return couponId + "." + tag;
  }
}
