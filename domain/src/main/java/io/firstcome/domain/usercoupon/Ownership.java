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
 */
public record Ownership(
    UserCouponIdentity identity,
    UserId userId,
    Slot slot,
    int generation,
    Instant issuedAt,
    Instant expiresAt) {

  public Ownership {
    if (generation < 1) {
      throw new IllegalArgumentException("generation must be positive: " + generation);
    }
  }
}
