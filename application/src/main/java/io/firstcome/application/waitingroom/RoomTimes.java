package io.firstcome.application.waitingroom;

import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponStatus;
import java.time.Duration;
import java.time.Instant;

/** When the waiting room of a coupon is in use. */
public final class RoomTimes {

  /**
   * How long a room is read before users can join it, and after the end of the coupon's window. It
   * is more than the clocks of a deployment differ.
   */
  static final Duration AROUND_USE = Duration.ofMinutes(1);

  private RoomTimes() {}

  /** Whether the coupon can be claimed no more, also by a clock that is behind. */
  public static boolean hasEnded(Coupon coupon, Instant now) {
    var closesAt = coupon.definition().window().closesAt();
    return coupon.status() == CouponStatus.CLOSED
        || coupon.status() == CouponStatus.ARCHIVED
        || !now.isBefore(closesAt.plus(AROUND_USE));
  }
}
