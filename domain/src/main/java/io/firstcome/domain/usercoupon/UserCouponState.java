package io.firstcome.domain.usercoupon;

/** The names of the states of a {@link UserCoupon}, to store and show. */
public enum UserCouponState {
  ISSUED,
  HELD,
  USED,
  EXPIRED,
  RETURNED,
  REVOKED
}
