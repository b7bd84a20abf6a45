package io.firstcome.bootstrap.rest.redemption;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import io.firstcome.application.usercoupon.FindRedemptions;
import io.firstcome.bootstrap.rest.request.CouponJson;
import io.firstcome.bootstrap.rest.request.CouponJson.MoneyJson;
import io.firstcome.domain.usercoupon.RecordedRedemption.State;
import io.firstcome.domain.usercoupon.Redemption;
import io.firstcome.domain.usercoupon.RedemptionId;
import io.firstcome.domain.usercoupon.UserCoupon;
import io.firstcome.domain.usercoupon.UserCouponId;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A user coupon that is or was held for an order or used on it.
 *
 * @param state HELD, CONFIRMED, RELEASED or UNDONE
 * @param shop which has taken the user coupon, or null if its owner has
 */
@JsonInclude(Include.NON_NULL)
public record RedemptionJson(
    String redemptionId,
    String state,
    String userCouponId,
    String couponId,
    String orderId,
    MoneyJson amount,
    MoneyJson discount,
    @Nullable String shop,
    @Nullable String heldUntil,
    @Nullable String usedAt) {

  /** A customer's request; any member may be missing until it is validated. */
  record Wanted(@Nullable String orderId, @Nullable MoneyJson amount, @Nullable String hold) {}

  /**
   * A shop's request, with one of code and userCouponId; any member may be missing until it is
   * validated.
   *
   * @param customerId who shows the code, by the shop's own id
   * @param customerAddress from which the code was sent
   */
  record WantedByShop(
      @Nullable String code,
      @Nullable String userCouponId,
      @Nullable String orderId,
      @Nullable MoneyJson amount,
      @Nullable String hold,
      @Nullable String customerId,
      @Nullable String customerAddress) {}

  /** Why an order is cancelled. */
  record CancellationJson(@Nullable String reason) {}

  /** The redemptions of an order. */
  record ListJson(List<RedemptionJson> items) {}

  /** A redemption that may have ended. */
  public static RedemptionJson of(FindRedemptions.Found found) {
    var recorded = found.recorded();
    var state = found.state();
    return of(
        recorded.id().userCouponId(),
        recorded.redemption(),
        state,
        state == State.HELD ? recorded.heldUntil() : null,
        state == State.CONFIRMED ? recorded.changedAt() : null);
  }

  /** The redemption of the user coupon, or null if it is neither held nor used. */
  public static @Nullable RedemptionJson of(UserCoupon userCoupon) {
    return switch (userCoupon) {
      case UserCoupon.Held held -> of(held.id(), held.redemption(), State.HELD, held.until(), null);
      case UserCoupon.Used used ->
          of(used.id(), used.redemption(), State.CONFIRMED, null, used.usedAt());
      case UserCoupon.Issued _, UserCoupon.Expired _, UserCoupon.Returned _, UserCoupon.Revoked _ ->
          null;
    };
  }

  private static RedemptionJson of(
      UserCouponId id,
      Redemption redemption,
      State state,
      @Nullable Instant heldUntil,
      @Nullable Instant usedAt) {
    return new RedemptionJson(
        new RedemptionId(id, redemption.orderId()).toString(),
        state.name(),
        id.toString(),
        id.couponId().value(),
        redemption.orderId().value(),
        CouponJson.money(redemption.order()),
        CouponJson.money(redemption.discount()),
        redemption.shop() == null ? null : redemption.shop().value(),
        heldUntil == null ? null : heldUntil.toString(),
        usedAt == null ? null : usedAt.toString());
  }
}
