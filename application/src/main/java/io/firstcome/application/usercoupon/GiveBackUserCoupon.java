package io.firstcome.application.usercoupon;

import io.firstcome.application.coupon.CouponCatalog;
import io.firstcome.application.usercoupon.UserCouponSteps.Decision;
import io.firstcome.domain.port.UserCouponRepository;
import io.firstcome.domain.usercoupon.Actor;
import io.firstcome.domain.usercoupon.UserCoupon;
import io.firstcome.domain.usercoupon.UserCouponId;
import java.time.Instant;
import java.time.InstantSource;

/** A customer returns a user coupon. */
public final class GiveBackUserCoupon {

  private final CouponCatalog catalog;
  private final UserCouponSteps steps;
  private final ReleaseSlots releaseSlots;

  public GiveBackUserCoupon(
      CouponCatalog catalog,
      UserCouponRepository userCoupons,
      ReleaseSlots releaseSlots,
      InstantSource clock) {
    this.catalog = catalog;
    this.steps = new UserCouponSteps(userCoupons, clock);
    this.releaseSlots = releaseSlots;
  }

  /**
   * Returns it, unless it is held or used. Its slot goes back to stock if the coupon says so: by
   * this call or, if the stock is not reachable, automatically later. Idempotent.
   *
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if the database did not confirm
   *     the write; a retry is safe
   */
  public UserCouponAnswer<ReturnRefusal> giveBack(UserCouponId id, Actor actor) {
    var answer = steps.take(id, actor, this::decide);
    releaseSlots.releaseSoon(answer);
    return answer;
  }

  private Decision<ReturnRefusal> decide(UserCoupon now, Instant time) {
    return switch (now) {
      case UserCoupon.Issued issued ->
          new Decision.Become<>(issued.giveBack(time, catalog.takesSlotsBack(issued)));
      case UserCoupon.Returned _ -> new Decision.Stay<>();
      case UserCoupon.Held _ -> new Decision.Refuse<>(ReturnRefusal.HELD);
      case UserCoupon.Used _ -> new Decision.Refuse<>(ReturnRefusal.USED);
      case UserCoupon.Expired _ -> new Decision.Refuse<>(ReturnRefusal.EXPIRED);
      case UserCoupon.Revoked _ -> new Decision.Refuse<>(ReturnRefusal.RETURNED_OR_REVOKED);
    };
  }
}
