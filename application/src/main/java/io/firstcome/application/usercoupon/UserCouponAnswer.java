package io.firstcome.application.usercoupon;

import io.firstcome.domain.coupon.Worth;
import io.firstcome.domain.usercoupon.UserCoupon;

/**
 * The answer to a request to change a user coupon: to take it for an order, or to end a redemption
 * or the user coupon.
 */
public sealed interface UserCouponAnswer {

  /** This call made the change. */
  record Done(UserCoupon userCoupon) implements UserCouponAnswer {}

  /** An equal earlier call made the change. */
  record DoneBefore(UserCoupon userCoupon) implements UserCouponAnswer {}

  /** The coupon does not apply to the order; nothing changed. */
  record NotApplicable(Worth.Nothing.Reason reason) implements UserCouponAnswer {}

  /** The change is not possible; nothing changed. */
  record Refused(Reason reason) implements UserCouponAnswer {}

  /** There is no such user coupon, or the caller is not authorized for it. */
  record UnknownUserCoupon() implements UserCouponAnswer {}

  /** The user coupon was never taken for that order. */
  record UnknownRedemption() implements UserCouponAnswer {}

  /** Too many concurrent changes of the user coupon; this call changed nothing. */
  record Overtaken() implements UserCouponAnswer {}

  /** Why a change of a user coupon is not possible. */
  enum Reason {
    /** It was used on another order. */
    ALREADY_USED,
    /** It is held, and not for the order of the request. */
    HELD_BY_ANOTHER_ORDER,
    /** Its validity is over. */
    EXPIRED,
    /** It was returned or revoked. */
    NOT_USABLE,
    /** It was taken for the same order with another amount. */
    OTHER_AMOUNT,
    /** It was taken for the order and is not any more: its hold is over, or it was cancelled. */
    NOT_HELD,
    /** It was taken and released so often that it cannot be taken again. */
    TAKEN_TOO_OFTEN
  }
}
