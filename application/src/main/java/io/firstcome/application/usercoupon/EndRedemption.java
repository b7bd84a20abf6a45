package io.firstcome.application.usercoupon;

import io.firstcome.application.usercoupon.RedemptionRefusal.Reason;
import io.firstcome.application.usercoupon.UserCouponSteps.Decision;
import io.firstcome.domain.port.UserCouponRepository;
import io.firstcome.domain.usercoupon.RecordedRedemption.State;
import io.firstcome.domain.usercoupon.Redeemer;
import io.firstcome.domain.usercoupon.Redemption;
import io.firstcome.domain.usercoupon.RedemptionId;
import io.firstcome.domain.usercoupon.UserCoupon;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.Supplier;

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
    return end(
        id,
        by,
        (held, time) ->
            by instanceof Redeemer.Owner && !ownersUse
                ? refuse(Reason.ONLY_SHOPS_USE)
                : new Decision.Become<>(held.confirm(time)),
        (_, _) -> new Decision.Stay<>(),
        (now, _) ->
            switch (now) {
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
    return end(
        id,
        by,
        (held, time) -> new Decision.Become<>(held.release(time)),
        (_, _) -> refuse(Reason.ALREADY_USED),
        (_, _) -> new Decision.Stay<>());
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
    return end(
        id,
        by,
        (_, _) -> refuse(Reason.NOT_USED),
        (used, time) ->
            by instanceof Redeemer.Owner
                ? refuse(Reason.ONLY_SHOPS_USE)
                : new Decision.Become<>(used.undo(time), reason),
        (_, state) -> state == State.UNDONE ? new Decision.Stay<>() : refuse(Reason.NOT_USED));
  }

  /** The decision on a user coupon, with the time of the call or the state of the redemption. */
  private interface Rule<U extends UserCoupon, T> {
    Decision<RedemptionRefusal> decide(U now, T argument);
  }

  /**
   * Ends the redemption by the rule for its state. A redemption that a shop has not made is unknown
   * to it. The stored redemption is read only if the user coupon is not with the order now.
   *
   * @param held if the user coupon is held for the order
   * @param used if it is used on the order
   * @param ended if it was taken for the order and is not any more
   */
  private UserCouponAnswer<RedemptionRefusal> end(
      RedemptionId id,
      Redeemer by,
      Rule<UserCoupon.Held, Instant> held,
      Rule<UserCoupon.Used, Instant> used,
      Rule<UserCoupon, State> ended) {
    return steps.take(
        id.userCouponId(),
        by.actor(),
        (now, time) ->
            switch (now) {
              case UserCoupon.Held one when isOf(one.redemption(), id) ->
                  byTaker(by, one.redemption(), () -> held.decide(one, time));
              case UserCoupon.Used one when isOf(one.redemption(), id) ->
                  byTaker(by, one.redemption(), () -> used.decide(one, time));
              case UserCoupon.Issued _,
                  UserCoupon.Held _,
                  UserCoupon.Used _,
                  UserCoupon.Expired _,
                  UserCoupon.Returned _,
                  UserCoupon.Revoked _ ->
                  userCoupons
                      .findRedemption(id)
                      .map(stored ->
                          byTaker(by, stored.redemption(), () -> ended.decide(now, stored.state())))
                      .orElseGet(() -> refuse(Reason.UNKNOWN_REDEMPTION));
            });
  }

  private static Decision<RedemptionRefusal> byTaker(
      Redeemer by, Redemption redemption, Supplier<Decision<RedemptionRefusal>> rule) {
    if (by.mayEnd(redemption)) {
      return rule.get();
    }
    return refuse(by instanceof Redeemer.Owner ? Reason.TAKEN_BY_SHOP : Reason.UNKNOWN_REDEMPTION);
  }

  private static Decision<RedemptionRefusal> refuse(Reason reason) {
    return new Decision.Refuse<>(reason);
  }

  private static boolean isOf(Redemption redemption, RedemptionId id) {
    return redemption.orderId().equals(id.orderId());
  }
}
