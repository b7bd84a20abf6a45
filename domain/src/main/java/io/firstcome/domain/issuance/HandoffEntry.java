package io.firstcome.domain.issuance;

import io.firstcome.domain.coupon.CouponId;
import java.time.Instant;
import java.util.List;

/**
 * Claims of one coupon that one call of the stock backend accepted, as the hand-off log keeps them
 * until the database has them.
 *
 * @param acceptedAt by the stock backend's clock
 * @param claims in the order in which they were accepted, at least one
 */
public record HandoffEntry(
    EntryReference reference, CouponId couponId, Instant acceptedAt, List<SlotClaim> claims) {

  public HandoffEntry {
    claims = List.copyOf(claims);
    if (claims.isEmpty()) {
      throw new IllegalArgumentException("claims must not be empty in entry " + reference);
    }
  }
}
