package io.firstcome.domain.issuance;

import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.Partition;
import java.time.Instant;

/**
 * An accepted claim whose epoch was over before it was recorded. It keeps its right to a slot, and
 * to the one it was promised if that is still free.
 */
public record LateClaim(
    CouponId couponId, UserId userId, Slot promised, Partition partition, Instant acceptedAt) {}
