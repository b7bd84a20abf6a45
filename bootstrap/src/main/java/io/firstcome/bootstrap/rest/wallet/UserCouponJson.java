package io.firstcome.bootstrap.rest.wallet;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import io.firstcome.application.claim.FindClaim;
import io.firstcome.bootstrap.rest.redemption.RedemptionJson;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.usercoupon.UserCoupon;
import io.firstcome.domain.usercoupon.UserCouponIdentity;
import java.util.Optional;
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

  /** The claim of a user; empty if there is none. */
  public static Optional<UserCouponJson> ofClaim(CouponId couponId, FindClaim.Result claim) {
    return switch (claim) {
      case FindClaim.Result.Recorded(UserCoupon row) -> Optional.of(of(row));
      case FindClaim.Result.Accepted(UserCouponIdentity identity, Slot slot) ->
          Optional.of(accepted(identity, slot));
      case FindClaim.Result.Rejected() -> Optional.of(withoutSlot("REJECTED", couponId));
      case FindClaim.Result.Returned() -> Optional.of(withoutSlot("RETURNED", couponId));
      case FindClaim.Result.None(), FindClaim.Result.UnknownCoupon() -> Optional.empty();
    };
  }

  /** A claim whose state could not be read. */
  public static UserCouponJson unknown(CouponId couponId) {
    return withoutSlot("UNKNOWN", couponId);
  }

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

  private static UserCouponJson accepted(UserCouponIdentity identity, Slot slot) {
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

  private static UserCouponJson withoutSlot(String state, CouponId couponId) {
    return new UserCouponJson(state, couponId.value(), null, null, null, null, null, null);
  }
}
