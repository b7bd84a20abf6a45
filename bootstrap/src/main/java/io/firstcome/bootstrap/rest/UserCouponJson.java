package io.firstcome.bootstrap.rest;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.usercoupon.UserCoupon;
import io.firstcome.domain.usercoupon.UserCouponIdentity;
import org.jspecify.annotations.Nullable;

/**
 * A user coupon, or what is known of a claim that has none.
 *
 * @param redemption what it is held for or was used on
 */
@JsonInclude(Include.NON_NULL)
record UserCouponJson(
    String state,
    String couponId,
    @Nullable String userCouponId,
    @Nullable Integer slot,
    @Nullable String code,
    @Nullable String issuedAt,
    @Nullable String expiresAt,
    @Nullable RedemptionJson redemption) {

  static UserCouponJson of(UserCoupon row) {
    return new UserCouponJson(
        row.state().name(),
        row.couponId().value(),
        row.id().toString(),
        row.slot().number(),
        row.identity().code().value(),
        row.issuedAt().toString(),
        row.ownership().expiresAt().toString(),
        RedemptionJson.of(row));
  }

  static UserCouponJson accepted(UserCouponIdentity identity, Slot slot) {
    return new UserCouponJson(
        "ACCEPTED",
        identity.id().couponId().value(),
        identity.id().toString(),
        slot.number(),
        identity.code().value(),
        null,
        null,
        null);
  }

  static UserCouponJson withoutSlot(String state, String couponId) {
    return new UserCouponJson(state, couponId, null, null, null, null, null, null);
  }
}
