package io.firstcome.domain.coupon;

import java.time.Instant;

/** The sections of the list in which operators look for a coupon. Each coupon is in one of them. */
public enum CouponSection {
  /** Its window has begun and not ended, whether it is paused or sold out. Latest opening first. */
  OPEN,
  /** Its window has not begun. Next opening first. */
  SCHEDULED,
  /** Only operators see it. Next opening first. */
  DRAFT,
  /** Closed by an operator, or its window is over. Latest end first. */
  ENDED,
  /** Latest end first. */
  ARCHIVED;

  /** The section of a coupon at a time. */
  public static CouponSection of(Coupon coupon, Instant now) {
    return switch (coupon.status()) {
      case DRAFT -> DRAFT;
      case CLOSED -> ENDED;
      case ARCHIVED -> ARCHIVED;
      case ACTIVE, PAUSED -> {
        var window = coupon.definition().window();
        if (!now.isBefore(window.closesAt())) {
          yield ENDED;
        }
        yield now.isBefore(window.opensAt()) ? SCHEDULED : OPEN;
      }
    };
  }

  /** Whether its coupons are sorted by the end of their windows and not by the begin. */
  public boolean isSortedByEnd() {
    return this == ENDED || this == ARCHIVED;
  }

  /** Whether its coupons with the latest times come first. */
  public boolean isLatestFirst() {
    return this != SCHEDULED && this != DRAFT;
  }
}
