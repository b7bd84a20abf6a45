package io.firstcome.domain.issuance;

import io.firstcome.domain.coupon.CouponId;
import org.jspecify.annotations.Nullable;

/**
 * How far a partition's stock was cleared of archived coupons since its recovery. The server that
 * was recovered may have an older state, with coupons in it that were removed since.
 */
public sealed interface ArchiveClearing {

  /** All archived coupons were cleared. */
  record Done() implements ArchiveClearing {}

  /**
   * Clearing continues after a coupon.
   *
   * @param last the last coupon that was cleared, in the order of ids, or null before the first
   */
  record After(@Nullable CouponId last) implements ArchiveClearing {}
}
