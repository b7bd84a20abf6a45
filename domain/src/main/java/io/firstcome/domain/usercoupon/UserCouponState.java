package io.firstcome.domain.usercoupon;

/** The names of the states of a {@link UserCoupon}, for whoever stores or shows one. */
public enum UserCouponState {
  ISSUED,
  HELD,
  USED,
  EXPIRED,
  RETURNED,
  REVOKED
}
