package io.firstcome.domain.usercoupon;

import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.issuance.Epoch;
import io.firstcome.domain.issuance.LateClaim;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.UserId;
import java.time.Instant;

/**
 * A claim that holds a slot and waits for its row.
 *
 * @param epoch in which the slot was given
 * @param acceptedAt by the stock backend's clock
 * @param identity the id and code that its user coupon has, now and ever
 */
public record AcceptedClaim(
    CouponId couponId,
    UserId userId,
    Slot slot,
    Partition partition,
    Epoch epoch,
    Instant acceptedAt,
    UserCouponIdentity identity) {

  /** The same claim where its row cannot be written yet. */
  public LateClaim asLate() {
    return new LateClaim(couponId, userId, slot, partition, acceptedAt);
  }
}
