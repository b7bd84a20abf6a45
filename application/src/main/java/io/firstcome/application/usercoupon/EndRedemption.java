package io.firstcome.application.usercoupon;

import io.firstcome.application.usercoupon.RedemptionRefusal.Reason;
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
  public UserCouponAnswer<RedemptionRefusal> confirm(RedemptionId id, Actor actor) {
    return ended(id, actor, (now, time) -> confirmation(now, id.orderId(), time));
  }

  /**
   * Releases the hold or undoes the use of an order that is cancelled. Idempotent.
   *
   * @return with the current user coupon, even if another order has taken it since
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if the database did not confirm
   *     the write; a retry is safe
   */
  public UserCouponAnswer<RedemptionRefusal> cancel(RedemptionId id, Actor actor) {
    return ended(id, actor, (now, time) -> cancellation(now, id.orderId(), time));
  }

  /**
   * An order that never took the user coupon is refused as unknown. The redemptions are read only
   * if the user coupon is not with the order now.
   */
  private UserCouponAnswer<RedemptionRefusal> ended(
      RedemptionId id, Actor actor, Rule<RedemptionRefusal> rule) {
    return steps.take(
        id.userCouponId(),
        actor,
        (now, time) ->
            isWith(id.orderId(), now) || userCoupons.findRedemption(id).isPresent()
                ? rule.decide(now, time)
                : refuse(Reason.UNKNOWN_REDEMPTION));
  }

  private static boolean isWith(OrderId order, UserCoupon now) {
    return switch (now) {
      case UserCoupon.Held held -> isOf(held.redemption(), order);
      case UserCoupon.Used used -> isOf(used.redemption(), order);
      case UserCoupon.Issued _, UserCoupon.Expired _, UserCoupon.Returned _, UserCoupon.Revoked _ ->
          false;
    };
  }

  private static Decision<RedemptionRefusal> confirmation(
      UserCoupon now, OrderId order, Instant time) {
    return switch (now) {
      case UserCoupon.Held held when isOf(held.redemption(), order) ->
          new Decision.Become<>(held.confirm(time));
      case UserCoupon.Used used when isOf(used.redemption(), order) -> new Decision.Stay<>();
      case UserCoupon.Held _ -> refuse(Reason.HELD_BY_ANOTHER_ORDER);
      case UserCoupon.Used _ -> refuse(Reason.ALREADY_USED);
      case UserCoupon.Issued _ -> refuse(Reason.NOT_HELD);
      case UserCoupon.Expired _ -> refuse(Reason.EXPIRED);
      case UserCoupon.Returned _, UserCoupon.Revoked _ -> refuse(Reason.NOT_USABLE);
    };
  }

  private static Decision<RedemptionRefusal> cancellation(
      UserCoupon now, OrderId order, Instant time) {
    return switch (now) {
      case UserCoupon.Held held when isOf(held.redemption(), order) ->
          new Decision.Become<>(held.release(time));
      case UserCoupon.Used used when isOf(used.redemption(), order) ->
          new Decision.Become<>(used.undo(time));
      case UserCoupon.Issued _,
          UserCoupon.Held _,
          UserCoupon.Used _,
          UserCoupon.Expired _,
          UserCoupon.Returned _,
          UserCoupon.Revoked _ ->
          new Decision.Stay<>();
    };
  }

  private static Decision<RedemptionRefusal> refuse(Reason reason) {
    return new Decision.Refuse<>(reason);
  }

  private static boolean isOf(Redemption redemption, OrderId order) {
    return redemption.orderId().equals(order);
  }
}
