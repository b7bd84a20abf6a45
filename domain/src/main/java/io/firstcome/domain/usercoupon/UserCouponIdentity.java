package io.firstcome.domain.usercoupon;

import io.firstcome.domain.coupon.CouponId;

/** The id and the code of one user coupon. The id is derived from the code. */
public record UserCouponIdentity(UserCouponId id, CouponCode code) {

  /** The identity of the user coupon of that coupon with the code. */
  public static UserCouponIdentity of(CouponId couponId, CouponCode code) {
    return new UserCouponIdentity(new UserCouponId(couponId, code.tag()), code);
  }
}
