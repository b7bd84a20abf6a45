package io.firstcome.application.usercoupon;

import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.issuance.SlotOwner;
import io.firstcome.domain.port.UserCouponRepository;
import io.firstcome.domain.usercoupon.CouponCode;
import io.firstcome.domain.usercoupon.UserCoupon;
import io.firstcome.domain.usercoupon.UserCouponId;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Operators look up user coupons. Failures are {@link
 * io.firstcome.domain.port.DatabaseUnavailableException}s.
 */
public final class LookUpUserCoupons {

  private final UserCouponRepository userCoupons;
  private final InstantSource clock;

  public LookUpUserCoupons(UserCouponRepository userCoupons, InstantSource clock) {
    this.userCoupons = userCoupons;
    this.clock = clock;
  }

  /** The user coupon of that id, as it is now. */
  public Optional<UserCoupon> byId(UserCouponId id) {
    return userCoupons.find(id).map(found -> found.at(clock.instant()));
  }

  /**
   * The user coupon of a code, as it is now.
   *
   * @param typed which may not be a code
   */
  public Optional<UserCoupon> byCode(String typed) {
    CouponCode code;
    try {
      code = CouponCode.parse(typed);
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
    return userCoupons.find(code).map(found -> found.at(clock.instant()));
  }

  /**
   * A page of the user coupons of a coupon.
   *
   * @param next the {@code after} of the next page, or null where this one is the last
   */
  public record Page(List<UserCoupon> items, @Nullable SlotOwner next) {}

  /**
   * A page of the user coupons of a coupon, as they are now, in the order of their slots.
   *
   * @param after the {@code next} of the previous page, or null
   * @param max 1 or more
   */
  public Page ofCoupon(CouponId couponId, @Nullable SlotOwner after, int max) {
    var owners = userCoupons.slotOwners(couponId, after, max);
    var found = userCoupons.findAll(couponId, owners.stream().map(SlotOwner::userId).toList());
    var now = clock.instant();
    var items = new ArrayList<UserCoupon>();
    for (var owner : owners) {
      // Erased meanwhile: then it is found under the pseudonym by a later export.
      Optional.ofNullable(found.get(owner.userId())).map(one -> one.at(now)).ifPresent(items::add);
    }
    return new Page(items, owners.size() < max ? null : owners.getLast());
  }
}
