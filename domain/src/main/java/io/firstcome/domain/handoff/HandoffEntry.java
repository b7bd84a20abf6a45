package io.firstcome.domain.handoff;

import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.issuance.SlotClaim;
import java.time.Instant;
import java.util.List;

/**
 * Claims of one coupon that one call of the stock backend accepted, in the hand-off log until they
 * are recorded.
 *
 * @param acceptedAt by the stock backend's clock, in a year from 1970 to 9999
 * @param claims in the order in which they were accepted, at least one
 */
public record HandoffEntry(
    EntryReference reference, CouponId couponId, Instant acceptedAt, List<SlotClaim> claims) {

  private static final Instant FIRST = Instant.EPOCH;
  private static final Instant AFTER_LAST = Instant.parse("+10000-01-01T00:00:00Z");

  public HandoffEntry {
    if (acceptedAt.isBefore(FIRST) || !acceptedAt.isBefore(AFTER_LAST)) {
      throw new IllegalArgumentException("acceptedAt must be in 1970 to 9999: " + acceptedAt);
    }
    claims = List.copyOf(claims);
    if (claims.isEmpty()) {
      throw new IllegalArgumentException("claims must not be empty in entry " + reference);
    }
  }
}
