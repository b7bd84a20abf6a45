package io.firstcome.application.usercoupon;

import io.firstcome.application.usercoupon.UserCouponAnswer.Reason;
import io.firstcome.application.usercoupon.UserCouponSteps.Decision;
import io.firstcome.application.usercoupon.UserCouponSteps.Rule;
import io.firstcome.domain.port.UserCouponRepository;
import io.firstcome.domain.usercoupon.Actor;
import io.firstcome.domain.usercoupon.OrderId;
import io.firstcome.domain.usercoupon.Redemption;
import io.firstcome.domain.usercoupon.RedemptionId;
import io.firstcome.domain.usercoupon.UserCoupon;
import java.time.Instant;
import java.time.InstantSource;

/** Ends a redemption: a hold is confirmed or released, a use is undone. */
public final class EndRedemption {

  private final UserCouponRepository userCoupons;
  private final UserCouponSteps steps;

  public EndRedemption(UserCouponRepository userCoupons, InstantSource clock) {
    this.userCoupons = userCoupons;
    this.steps = new UserCouponSteps(userCoupons, clock);
  }

  /**
   * Confirms the order's hold: the user coupon is used. Idempotent.
   *
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if the database did not confirm
   *     the write; a retry is safe
   */
  public UserCouponAnswer confirm(RedemptionId id, Actor actor) {
    return ended(id, actor, (now, time) -> confirmation(now, id.orderId(), time));
  }

  /**
   * Releases the hold or undoes the use of an order that is cancelled. Idempotent.
   *
   * @return with the current user coupon, even if another order has taken it since
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if the database did not confirm
   *     the write; a retry is safe
   */
  public UserCouponAnswer cancel(RedemptionId id, Actor actor) {
    return ended(id, actor, (now, time) -> cancellation(now, id.orderId(), time));
  }

  /** An order that never took the user coupon is refused as unknown. */
  private UserCouponAnswer ended(RedemptionId id, Actor actor, Rule rule) {
    return steps.take(
        id.userCouponId(),
        actor,
        (now, time) ->
            userCoupons.findRedemption(id).isPresent()
                ? rule.decide(now, time)
                : new Decision.Stay(new UserCouponAnswer.UnknownRedemption()));
  }

  private static Decision confirmation(UserCoupon now, OrderId order, Instant time) {
    return switch (now) {
      case UserCoupon.Held held when isOf(held.redemption(), order) ->
          new Decision.Become(held.confirm(time));
      case UserCoupon.Used used when isOf(used.redemption(), order) ->
          new Decision.Stay(new UserCouponAnswer.DoneBefore(used));
      case UserCoupon.Held _ -> UserCouponSteps.refuse(Reason.HELD_BY_ANOTHER_ORDER);
      case UserCoupon.Used _ -> UserCouponSteps.refuse(Reason.ALREADY_USED);
      case UserCoupon.Issued _ -> UserCouponSteps.refuse(Reason.NOT_HELD);
      case UserCoupon.Expired _ -> UserCouponSteps.refuse(Reason.EXPIRED);
      case UserCoupon.Returned _, UserCoupon.Revoked _ -> UserCouponSteps.refuse(Reason.NOT_USABLE);
    };
  }

  private static Decision cancellation(UserCoupon now, OrderId order, Instant time) {
    return switch (now) {
      case UserCoupon.Held held when isOf(held.redemption(), order) ->
          new Decision.Become(held.release(time));
      case UserCoupon.Used used when isOf(used.redemption(), order) ->
          new Decision.Become(used.undo(time));
      case UserCoupon.Issued _,
          UserCoupon.Held _,
          UserCoupon.Used _,
          UserCoupon.Expired _,
          UserCoupon.Returned _,
          UserCoupon.Revoked _ ->
          new Decision.Stay(new UserCouponAnswer.DoneBefore(now));
    };
  }

  private static boolean isOf(Redemption redemption, OrderId order) {
    return redemption.orderId().equals(order);
  }
}
