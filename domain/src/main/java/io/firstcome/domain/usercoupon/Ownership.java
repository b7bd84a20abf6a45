package io.firstcome.domain.usercoupon;

import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.UserId;
import java.time.Instant;

/**
 * Which slot of which coupon belongs to which user: what stays the same for the whole life of a
 * user coupon.
 *
 * @param generation counts the holders of the slot, from 1
 * @param issuedAt when the stock backend accepted the claim
 * @param expiresAt the first instant at which it cannot be used
 * @param termsRevision the earliest revision of the coupon whose terms are those of this user
 *     coupon: an earlier one may have been edited before the first claim
 */
public record Ownership(
    UserCouponIdentity identity,
    UserId userId,
    Slot slot,
    int generation,
    Instant issuedAt,
    Instant expiresAt,
    int termsRevision) {

  public Ownership {
    if (generation < 1) {
      throw new IllegalArgumentException("generation must be positive: " + generation);
    }
  }
}
