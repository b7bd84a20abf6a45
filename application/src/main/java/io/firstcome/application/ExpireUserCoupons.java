package io.firstcome.application;

import io.firstcome.domain.port.UserCouponRepository;
import io.firstcome.domain.usercoupon.Actor;
import io.firstcome.domain.usercoupon.UserCoupon;
import io.firstcome.domain.usercoupon.UserCouponChange;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * Records that user coupons have expired. They have whether it is recorded or not: everybody who
 * reads one applies the time, so it does not matter how late this comes.
 */
public final class ExpireUserCoupons {

  private final UserCouponRepository userCoupons;
  private final CompareClocks clocks;
  private final ApplicationLimits limits;

  public ExpireUserCoupons(
      UserCouponRepository userCoupons, CompareClocks clocks, ApplicationLimits limits) {
    this.userCoupons = userCoupons;
    this.clocks = clocks;
    this.limits = limits;
  }

  /**
   * Records one batch of those whose validity is over. One that somebody changes meanwhile is left
   * as it is, for the next time; so it may run in several places at once. Records none while the
   * clocks of the database and of this instance contradict each other: an expiry is final.
   *
   * @return how many were recorded
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if the database did not say that
   *     they are recorded
   */
  public int expireOverdue() {
    // Stores keep milliseconds.
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
