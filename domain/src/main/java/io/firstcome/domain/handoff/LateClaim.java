package io.firstcome.domain.handoff;

import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.usercoupon.AcceptedClaim;
import java.time.Instant;

/**
 * An accepted claim that could not be recorded when it was delivered, such as after the end of its
 * epoch. It gets the slot it was promised if that is still free, else another free one.
 */
public record LateClaim(
    CouponId couponId, UserId userId, Slot promised, Partition partition, Instant acceptedAt) {

  /** The claim as a late one. */
  public static LateClaim of(AcceptedClaim claim) {
    return new LateClaim(
        claim.couponId(), claim.userId(), claim.slot(), claim.partition(), claim.acceptedAt());
  }
}
