package io.firstcome.domain.coupon;

/** Whether an operator lets a coupon be claimed. The issuance window is judged apart from this. */
public enum CouponStatus {
  /** Claims are taken while the window is open. */
  ACTIVE,
  /** Claims are refused until the coupon is resumed. */
  PAUSED,
  /** Claims are refused for good. */
  CLOSED,
  /** It is closed, everything is recorded, and the stock has forgotten it. */
  ARCHIVED
}
