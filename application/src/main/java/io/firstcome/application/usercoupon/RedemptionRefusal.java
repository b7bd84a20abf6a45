package io.firstcome.application.usercoupon;

import io.firstcome.domain.coupon.Worth;

/** Why a user coupon cannot be taken for an order, or the redemption cannot be ended. */
public sealed interface RedemptionRefusal {

  /** The coupon does not apply to the order. */
  record NotApplicable(Worth.Nothing.Reason reason) implements RedemptionRefusal {}

  /** A reason in the state of the user coupon or of the redemption. */
  enum Reason implements RedemptionRefusal {
    /** The user coupon was used, on another order or instead of being held. */
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
    TAKEN_TOO_OFTEN,
    /** It is held for the order and not used, so there is no use to undo. */
    NOT_USED,
    /** A shop has taken it for the order, so its owner cannot end that. */
    TAKEN_BY_SHOP,
    /** Only a shop can use it; its owner can hold it. */
    ONLY_SHOPS_USE,
    /** It was never taken for the order, or not by the shop that calls. */
    UNKNOWN_REDEMPTION
  }
}
