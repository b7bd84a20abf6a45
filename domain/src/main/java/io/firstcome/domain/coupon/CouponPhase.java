package io.firstcome.domain.coupon;

/** Where a coupon is in its life: what its status, the time and its free slots mean together. */
public enum CouponPhase {
  /** Only operators see it. */
  DRAFT,
  /** Its window has not begun. */
  SCHEDULED,
  /** It can be claimed. */
  OPEN,
  /** Claims are refused until an operator resumes it. */
  PAUSED,
  /** No slot is left; it can be claimed again if slots return or its quantity is raised. */
  SOLD_OUT,
  /** Its window is over, or an operator closed it. */
  ENDED,
  /** It is closed, everything is recorded, and it has no stock. */
  ARCHIVED
}
