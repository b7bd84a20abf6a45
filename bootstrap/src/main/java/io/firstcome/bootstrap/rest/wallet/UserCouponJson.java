package io.firstcome.bootstrap.rest.wallet;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import io.firstcome.bootstrap.rest.redemption.RedemptionJson;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.usercoupon.UserCoupon;
import io.firstcome.domain.usercoupon.UserCouponIdentity;
import org.jspecify.annotations.Nullable;

/**
 * A user coupon, or the state of a claim that has none.
 *
 * @param redemption that it is held for or was used on
 */
@JsonInclude(Include.NON_NULL)
public record UserCouponJson(
    String state,
    String couponId,
    @Nullable String userCouponId,
    @Nullable Integer slot,
    @Nullable String code,
    @Nullable String issuedAt,
    @Nullable String expiresAt,
    @Nullable RedemptionJson redemption) {

  public static UserCouponJson of(UserCoupon row) {
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

  public static UserCouponJson accepted(UserCouponIdentity identity, Slot slot) {
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

  public static UserCouponJson withoutSlot(String state, String couponId) {
    return new UserCouponJson(state, couponId, null, null, null, null, null, null);
  }
}
