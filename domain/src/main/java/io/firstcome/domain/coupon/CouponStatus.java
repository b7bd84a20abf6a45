package io.firstcome.domain.coupon;

/**
 * Whether a coupon can be claimed, as set by an operator. The issuance window is checked
 * separately.
 */
public enum CouponStatus {
  /** Only operators see it, and it has no stock, until it is published. */
  DRAFT,
  /** Claims are accepted while the window is open. */
  ACTIVE,
  /** Claims are refused until the coupon is resumed. */
  PAUSED,
  /** Claims are refused permanently. */
  CLOSED,
  /** It is closed, everything is recorded, and it has no stock. */
  ARCHIVED
}
