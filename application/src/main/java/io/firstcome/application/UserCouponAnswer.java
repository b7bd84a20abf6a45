package io.firstcome.application;

import io.firstcome.domain.coupon.Worth;
import io.firstcome.domain.usercoupon.UserCoupon;

/** What comes of a wish to change a user coupon: to take it for an order, or to end that or it. */
public sealed interface UserCouponAnswer {

  /** It is as wished since now. */
  record Done(UserCoupon userCoupon) implements UserCouponAnswer {}

  /** It was so before, by an earlier call like this one. */
  record DoneBefore(UserCoupon userCoupon) implements UserCouponAnswer {}

  /** The coupon does not apply to the order; nothing changed. */
  record NotApplicable(Worth.Nothing.Reason reason) implements UserCouponAnswer {}

  /** The user coupon cannot become what is wished; nothing changed. */
  record Refused(Reason reason) implements UserCouponAnswer {}

  /** There is no such user coupon, or it is none of the caller's business. */
  record UnknownUserCoupon() implements UserCouponAnswer {}

  /** The user coupon was never taken for that order. */
  record UnknownRedemption() implements UserCouponAnswer {}

  /** Others changed the user coupon again and again; nothing changed by this wish. */
  record Overtaken() implements UserCouponAnswer {}

  /** Why a user coupon cannot become what is wished. */
  enum Reason {
    /** It was used on another order. */
    ALREADY_USED,
    /** It is held for an order, and not for this one if there is one. */
    HELD_BY_ANOTHER_ORDER,
    /** Its validity is over. */
    EXPIRED,
    /** It was given back or taken away. */
    NOT_USABLE,
    /** It was taken for the same order with another amount. */
    OTHER_AMOUNT,
    /** It was taken for the order and is not any more: its hold is over, or it was cancelled. */
    NOT_HELD,
    /** It was taken and released so often that it is not taken for any order any more. */
    TAKEN_TOO_OFTEN
  }
}
