package io.firstcome.application.usercoupon;

/** Why a user coupon cannot be returned or revoked. */
public enum ReturnRefusal {
  /** It is held for an order; only an operator can revoke it then. */
  HELD,
  /** It was used. */
  USED,
  /** Its validity is over. */
  EXPIRED,
  /** It was returned or revoked before, and this is not a repetition of that request. */
  RETURNED_OR_REVOKED
}
