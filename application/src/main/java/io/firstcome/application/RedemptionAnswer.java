package io.firstcome.application;

import io.firstcome.domain.coupon.Worth;
import io.firstcome.domain.usercoupon.UserCoupon;

/** What comes of a wish to take a user coupon for an order, or of one to confirm or cancel that. */
public sealed interface RedemptionAnswer {

  /** It is as wished since now. */
  record Done(UserCoupon userCoupon) implements RedemptionAnswer {}

  /** It was so before, by an earlier call for the same order. */
  record DoneBefore(UserCoupon userCoupon) implements RedemptionAnswer {}

  /** The coupon does not apply to the order; nothing changed. */
  record NotApplicable(Worth.Nothing.Reason reason) implements RedemptionAnswer {}

  /** The user coupon is not to be had for the order; nothing changed. */
  record Refused(Reason reason) implements RedemptionAnswer {}

  /** There is no such user coupon, or it is none of the caller's business. */
  record UnknownUserCoupon() implements RedemptionAnswer {}

  /** The user coupon was never taken for that order. */
  record UnknownRedemption() implements RedemptionAnswer {}

  /** Others changed the user coupon again and again; nothing changed by this wish. */
  record Overtaken() implements RedemptionAnswer {}

  /** Why a user coupon is not to be had. */
  enum Reason {
    /** It was used on another order. */
    ALREADY_USED,
    /** It is held for another order. */
    HELD_BY_ANOTHER_ORDER,
    /** Its validity is over. */
    EXPIRED,
    /** It was given back or taken away. */
    NOT_USABLE,
    /** It was taken for the same order with another amount. */
    OTHER_AMOUNT,
    /** It was taken for the order and is not any more: its hold is over, or it was cancelled. */
    NOT_HELD
  }
}
