package io.firstcome.application.usercoupon;

import io.firstcome.application.coupon.CouponCatalog;
import io.firstcome.application.usercoupon.UserCouponSteps.Decision;
import io.firstcome.domain.port.UserCouponRepository;
import io.firstcome.domain.usercoupon.Actor;
import io.firstcome.domain.usercoupon.UserCoupon;
import io.firstcome.domain.usercoupon.UserCouponId;
import java.time.Instant;
import java.time.InstantSource;

/** An operator revokes a user coupon. */
public final class RevokeUserCoupon {

  private final CouponCatalog catalog;
  private final UserCouponSteps steps;
  private final ReleaseSlots releaseSlots;

  public RevokeUserCoupon(
      CouponCatalog catalog,
      UserCouponRepository userCoupons,
      ReleaseSlots releaseSlots,
      InstantSource clock) {
    this.catalog = catalog;
    this.steps = new UserCouponSteps(userCoupons, clock);
    this.releaseSlots = releaseSlots;
  }

  /**
   * Revokes it, held for an order or not, unless it was used. Its slot goes back to stock if the
   * coupon says so: by this call or, if the stock is not reachable, automatically later.
   * Idempotent: the first reason stays.
   *
   * @param reason valid for {@link UserCoupon.Revoked}
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if the database did not confirm
   *     the write; a retry is safe
   */
  public UserCouponAnswer<ReturnRefusal> revoke(UserCouponId id, String reason, Actor actor) {
    var answer = steps.take(id, actor, (now, time) -> decide(now, reason, time));
    releaseSlots.releaseSoon(answer);
    return answer;
  }

  private Decision<ReturnRefusal> decide(UserCoupon now, String reason, Instant time) {
    return switch (now) {
      case UserCoupon.Issued issued ->
          new Decision.Become<>(issued.revoke(reason, time, catalog.takesSlotsBack(now)));
      case UserCoupon.Held held ->
          new Decision.Become<>(held.revoke(reason, time, catalog.takesSlotsBack(now)));
      case UserCoupon.Revoked _ -> new Decision.Stay<>();
      case UserCoupon.Used _ -> new Decision.Refuse<>(ReturnRefusal.USED);
      case UserCoupon.Expired _ -> new Decision.Refuse<>(ReturnRefusal.EXPIRED);
      case UserCoupon.Returned _ -> new Decision.Refuse<>(ReturnRefusal.RETURNED_OR_REVOKED);
    };
  }
}
