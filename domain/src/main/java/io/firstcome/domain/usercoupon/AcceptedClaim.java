package io.firstcome.domain.usercoupon;

import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.issuance.Epoch;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.UserId;
import java.time.Instant;

/**
 * An accepted claim: it holds a slot and has no row yet.
 *
 * @param epoch in which the slot was allocated
 * @param acceptedAt by the stock backend's clock
 * @param identity the id and code of its user coupon, which never change
 */
public record AcceptedClaim(
    CouponId couponId,
    UserId userId,
    Slot slot,
    Partition partition,
    Epoch epoch,
    Instant acceptedAt,
    UserCouponIdentity identity) {

  public AcceptedClaim {
    if (!identity.id().couponId().equals(couponId)) {
      throw new IllegalArgumentException(
          "identity must be of the claim's coupon %s: %s".formatted(couponId, identity.id()));
    }
  }
}
