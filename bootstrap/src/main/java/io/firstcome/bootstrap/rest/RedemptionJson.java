package io.firstcome.bootstrap.rest;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import io.firstcome.bootstrap.rest.CouponJson.MoneyJson;
import io.firstcome.domain.usercoupon.Redemption;
import io.firstcome.domain.usercoupon.RedemptionId;
import io.firstcome.domain.usercoupon.UserCoupon;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A user coupon that is taken for an order.
 *
 * @param state HELD or CONFIRMED
 */
@JsonInclude(Include.NON_NULL)
record RedemptionJson(
    String redemptionId,
    String state,
    String userCouponId,
    String couponId,
    String orderId,
    MoneyJson amount,
    MoneyJson discount,
    @Nullable String heldUntil,
    @Nullable String usedAt) {

  /** What is wanted: of a request, so any member may be missing until it was checked. */
  record Wanted(@Nullable String orderId, @Nullable MoneyJson amount, @Nullable String hold) {}

  /**
   * What a shop wants, which has one of code and userCouponId: of a request, so any member may be
   * missing until it was checked.
   */
  record WantedByShop(
      @Nullable String code,
      @Nullable String userCouponId,
      @Nullable String orderId,
      @Nullable MoneyJson amount,
      @Nullable String hold) {}

  /** The redemption that the user coupon is taken for, or null. */
  static @Nullable RedemptionJson of(UserCoupon userCoupon) {
    return switch (userCoupon) {
      case UserCoupon.Held held -> of(held, "HELD", held.redemption(), held.until(), null);
      case UserCoupon.Used used -> of(used, "CONFIRMED", used.redemption(), null, used.usedAt());
      case UserCoupon.Issued _, UserCoupon.Expired _, UserCoupon.Returned _, UserCoupon.Revoked _ ->
          null;
    };
  }

  private static RedemptionJson of(
      UserCoupon userCoupon,
      String state,
      Redemption redemption,
      @Nullable Instant heldUntil,
      @Nullable Instant usedAt) {
    return new RedemptionJson(
        new RedemptionId(userCoupon.id(), redemption.orderId()).toString(),
        state,
        userCoupon.id().toString(),
        userCoupon.couponId().value(),
        redemption.orderId().value(),
        CouponJson.money(redemption.order()),
        CouponJson.money(redemption.discount()),
        heldUntil == null ? null : heldUntil.toString(),
        usedAt == null ? null : usedAt.toString());
  }
}
