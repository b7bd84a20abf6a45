package io.firstcome.application.usercoupon;

import io.firstcome.application.server.CompareClocks;
import io.firstcome.domain.port.UserCouponRepository;
import io.firstcome.domain.usercoupon.Actor;
import io.firstcome.domain.usercoupon.UserCoupon;
import io.firstcome.domain.usercoupon.UserCouponChange;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * Records that user coupons have expired. Every reader applies the time itself, so a delay has no
 * effect.
 */
public final class ExpireUserCoupons {

  private final UserCouponRepository userCoupons;
  private final CompareClocks clocks;
  private final UserCouponLimits limits;

  public ExpireUserCoupons(
      UserCouponRepository userCoupons, CompareClocks clocks, UserCouponLimits limits) {
    this.userCoupons = userCoupons;
    this.clocks = clocks;
    this.limits = limits;
  }

  /**
   * Records one batch of those whose validity is over. One that changes concurrently is left for
   * the next time, so several instances may run this at once. Records none while the clocks of the
   * database and of this instance contradict each other: an expiry is final.
   *
   * @return how many were recorded
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if the database did not confirm
   *     the write
   */
  public int expireOverdue() {
    // Stored times are in milliseconds.
    return clocks.undoubted().map(now -> expire(now.truncatedTo(ChronoUnit.MILLIS))).orElse(0);
  }

  private int expire(Instant now) {
    var changes =
        userCoupons.overdue(now, limits.expiryBatch()).stream()
            .map(stored -> new UserCouponChange(stored, expired(stored, now), Actor.TIME, now))
            .toList();
    return changes.isEmpty() ? 0 : userCoupons.change(changes).size();
  }

  private static UserCoupon expired(UserCoupon overdue, Instant now) {
    return switch (overdue) {
      case UserCoupon.Issued issued -> issued.expire();
      case UserCoupon.Held held -> held.release(now);
      case UserCoupon.Used _, UserCoupon.Expired _, UserCoupon.Returned _, UserCoupon.Revoked _ ->
          throw new IllegalStateException(
              "not overdue: %s, which is %s".formatted(overdue.id(), overdue.state()));
    };
  }
}
