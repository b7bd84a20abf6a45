package io.firstcome.application.usercoupon;

import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.port.UserCouponRepository;
import io.firstcome.domain.usercoupon.UserCoupon;
import io.firstcome.domain.usercoupon.UserCouponCursor;
import io.firstcome.domain.usercoupon.UserCouponState;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A customer lists their user coupons. */
public final class ListUserCoupons {

  private final UserCouponRepository userCoupons;
  private final InstantSource clock;

  public ListUserCoupons(UserCouponRepository userCoupons, InstantSource clock) {
    this.userCoupons = userCoupons;
    this.clock = clock;
  }

  /**
   * A page of user coupons, as they are now.
   *
   * @param next the {@code after} of the next page, or null where this one is the last
   */
  public record Page(List<UserCoupon> items, @Nullable UserCouponCursor next) {}

  /**
   * A page of the user coupons, newest first.
   *
   * @param state of the user coupons now, or null for any
   * @param after the {@code next} of the previous page, or null
   * @param max 1 or more
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if the database is not reachable
   */
  public Page page(
      UserId owner, @Nullable UserCouponState state, @Nullable UserCouponCursor after, int max) {
    // As exact as stored times, so that a user coupon found in a state is shown in that state.
    var now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
    var found = userCoupons.page(owner, state, now, after, max + 1);
    var items = found.stream().limit(max).map(userCoupon -> userCoupon.at(now)).toList();
    return new Page(items, found.size() > max ? UserCouponCursor.of(items.getLast()) : null);
  }
}
