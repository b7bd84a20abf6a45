package io.firstcome.domain.usercoupon;

/** The id and the code of one user coupon, both derived from coupon and user. */
public record UserCouponIdentity(UserCouponId id, CouponCode code) {}
