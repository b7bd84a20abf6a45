package io.firstcome.application.usercoupon;

import io.firstcome.domain.usercoupon.UserCoupon;

/**
 * The answer to a request to change a user coupon: to take it for an order, or to end a redemption
 * or the user coupon.
 *
 * @param <R> why such a request can be impossible
 */
public sealed interface UserCouponAnswer<R> {

  /** This call made the change. */
  record Done<R>(UserCoupon userCoupon) implements UserCouponAnswer<R> {}

  /** An equal earlier call made the change. */
  record DoneBefore<R>(UserCoupon userCoupon) implements UserCouponAnswer<R> {}

  /** Nothing changed. */
  sealed interface Refusal<R> extends UserCouponAnswer<R> {}

  /** The change is not possible. */
  record Refused<R>(R reason) implements Refusal<R> {}

  /** There is no such user coupon, or the caller is not authorized for it. */
  record UnknownUserCoupon<R>() implements Refusal<R> {}

  /** Each attempt met a concurrent change of the user coupon. */
  record ConcurrentChange<R>() implements Refusal<R> {}
}
