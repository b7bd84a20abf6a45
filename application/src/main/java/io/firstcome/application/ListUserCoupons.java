package io.firstcome.application;

import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.port.UserCouponRepository;
import io.firstcome.domain.usercoupon.UserCoupon;
import io.firstcome.domain.usercoupon.UserCouponPlace;
import io.firstcome.domain.usercoupon.UserCouponState;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A customer looks through their coupons. */
public final class ListUserCoupons {

  private final UserCouponRepository userCoupons;
  private final InstantSource clock;

  public ListUserCoupons(UserCouponRepository userCoupons, InstantSource clock) {
    this.userCoupons = userCoupons;
    this.clock = clock;
  }

  /**
   * Some of the coupons, as they are now.
   *
   * @param next the {@code after} of the next page, or null where this one is the last
   */
  public record Page(List<UserCoupon> items, @Nullable UserCouponPlace next) {}

  /**
   * A page of the coupons, newest first.
   *
   * @param state that they have now, or null for any
   * @param after the {@code next} of the page before, or null
   * @param max 1 or more
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if the database is away
   */
  public Page page(
      UserId owner, @Nullable UserCouponState state, @Nullable UserCouponPlace after, int max) {
    // Of the exactness of stores, so that what they find in a state is shown in that state.
    var now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
    var found = userCoupons.page(owner, state, now, after, max + 1);
    var items = found.stream().limit(max).map(userCoupon -> userCoupon.at(now)).toList();
    return new Page(items, found.size() > max ? UserCouponPlace.of(items.getLast()) : null);
  }
}
