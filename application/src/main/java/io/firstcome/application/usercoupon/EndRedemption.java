package io.firstcome.application.usercoupon;

import io.firstcome.application.usercoupon.RedemptionRefusal.Reason;
import io.firstcome.application.usercoupon.UserCouponSteps.Decision;
import io.firstcome.application.usercoupon.UserCouponSteps.Rule;
import io.firstcome.domain.port.UserCouponRepository;
import io.firstcome.domain.shop.OrderId;
import io.firstcome.domain.usercoupon.RecordedRedemption;
import io.firstcome.domain.usercoupon.RecordedRedemption.State;
import io.firstcome.domain.usercoupon.Redeemer;
import io.firstcome.domain.usercoupon.Redemption;
import io.firstcome.domain.usercoupon.RedemptionId;
import io.firstcome.domain.usercoupon.UserCoupon;
import java.time.InstantSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Ends a redemption: a hold is confirmed or released, a use is undone. Only who has taken the user
 * coupon for the order can do that, and operators.
 */
public final class EndRedemption {

  private final UserCouponRepository userCoupons;
  private final UserCouponSteps steps;
  private final boolean ownersUse;

  /**
   * @param ownersUse whether owners can use user coupons without a shop
   */
  public EndRedemption(UserCouponRepository userCoupons, boolean ownersUse, InstantSource clock) {
    this.userCoupons = userCoupons;
    this.steps = new UserCouponSteps(userCoupons, clock);
    this.ownersUse = ownersUse;
  }

  /**
   * Confirms the order's hold: the user coupon is used. Idempotent.
   *
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if the database did not confirm
   *     the write; a retry is safe
   */
  public UserCouponAnswer<RedemptionRefusal> confirm(RedemptionId id, Redeemer by) {
    var order = id.orderId();
    return ended(
        id,
        by,
        (now, time) ->
            by instanceof Redeemer.Owner && !ownersUse
                ? refuse(Reason.ONLY_SHOPS_USE)
                : switch (now) {
                  case UserCoupon.Held held when isOf(held.redemption(), order) ->
                      new Decision.Become<>(held.confirm(time));
                  case UserCoupon.Used used when isOf(used.redemption(), order) ->
                      new Decision.Stay<>();
                  case UserCoupon.Held _ -> refuse(Reason.HELD_BY_ANOTHER_ORDER);
                  case UserCoupon.Used _ -> refuse(Reason.ALREADY_USED);
                  case UserCoupon.Issued _ -> refuse(Reason.NOT_HELD);
                  case UserCoupon.Expired _ -> refuse(Reason.EXPIRED);
                  case UserCoupon.Returned _, UserCoupon.Revoked _ -> refuse(Reason.NOT_USABLE);
                });
  }

  /**
   * Releases the order's hold. Idempotent.
   *
   * @return with the current user coupon, even if another order has taken it since
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if the database did not confirm
   *     the write; a retry is safe
   */
  public UserCouponAnswer<RedemptionRefusal> release(RedemptionId id, Redeemer by) {
    var order = id.orderId();
    return ended(
        id,
        by,
        (now, time) ->
            switch (now) {
              case UserCoupon.Held held when isOf(held.redemption(), order) ->
                  new Decision.Become<>(held.release(time));
              case UserCoupon.Used used when isOf(used.redemption(), order) ->
                  refuse(Reason.ALREADY_USED);
              case UserCoupon.Issued _,
                  UserCoupon.Held _,
                  UserCoupon.Used _,
                  UserCoupon.Expired _,
                  UserCoupon.Returned _,
                  UserCoupon.Revoked _ ->
                  new Decision.Stay<>();
            });
  }

  /**
   * Undoes the use on an order that is cancelled: the user coupon can be used again, unless its
   * validity is over. Idempotent.
   *
   * @param reason for the audit trail, see {@link UserCoupon.Revoked#requireReason}
   * @return with the current user coupon, even if another order has taken it since
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if the database did not confirm
   *     the write; a retry is safe
   */
  public UserCouponAnswer<RedemptionRefusal> undo(RedemptionId id, String reason, Redeemer by) {
    var order = id.orderId();
    return ended(
        id,
        by,
        (now, time) ->
            switch (now) {
              case UserCoupon.Used used when isOf(used.redemption(), order) ->
                  by instanceof Redeemer.Owner
                      ? refuse(Reason.ONLY_SHOPS_USE)
                      : new Decision.Become<>(used.undo(time), reason);
              case UserCoupon.Held held when isOf(held.redemption(), order) ->
                  refuse(Reason.NOT_USED);
              case UserCoupon.Issued _,
                  UserCoupon.Held _,
                  UserCoupon.Used _,
                  UserCoupon.Expired _,
                  UserCoupon.Returned _,
                  UserCoupon.Revoked _ ->
                  wasUndone(id) ? new Decision.Stay<>() : refuse(Reason.NOT_USED);
            });
  }

  private boolean wasUndone(RedemptionId id) {
    return userCoupons
        .findRedemption(id)
        .filter(recorded -> recorded.state() == State.UNDONE)
        .isPresent();
  }

  /**
   * A redemption that this caller never made is unknown to a shop. Redemptions are read only if the
   * user coupon is not with the order now.
   */
  private UserCouponAnswer<RedemptionRefusal> ended(
      RedemptionId id, Redeemer by, Rule<RedemptionRefusal> rule) {
    return steps.take(
        id.userCouponId(),
        by.actor(),
        (now, time) -> {
          var redemption = current(now, id.orderId());
          if (redemption == null) {
            redemption =
                userCoupons.findRedemption(id).map(RecordedRedemption::redemption).orElse(null);
          }
          if (redemption != null && by.mayEnd(redemption)) {
            return rule.decide(now, time);
          }
          return refuse(
              redemption != null && by instanceof Redeemer.Owner
                  ? Reason.TAKEN_BY_SHOP
                  : Reason.UNKNOWN_REDEMPTION);
        });
  }

  private static @Nullable Redemption current(UserCoupon now, OrderId order) {
    return taken(now).filter(redemption -> isOf(redemption, order)).orElse(null);
  }

  private static Optional<Redemption> taken(UserCoupon now) {
    return switch (now) {
      case UserCoupon.Held held -> Optional.of(held.redemption());
      case UserCoupon.Used used -> Optional.of(used.redemption());
      case UserCoupon.Issued _, UserCoupon.Expired _, UserCoupon.Returned _, UserCoupon.Revoked _ ->
          Optional.empty();
    };
  }

  private static Decision<RedemptionRefusal> refuse(Reason reason) {
    return new Decision.Refuse<>(reason);
  }

  private static boolean isOf(Redemption redemption, OrderId order) {
    return redemption.orderId().equals(order);
  }
}
