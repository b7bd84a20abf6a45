package io.firstcome.domain.coupon;

import io.firstcome.domain.issuance.Partition;

/**
 * A promotion as the system keeps it.
 *
 * @param revision counts the operator's changes, from 1; the stock backend takes a newer one only
 * @param partition where its stock lives; stored at definition and never worked out again, so that
 *     another partition count cannot move a running coupon
 * @param codeKeyVersion the key its user coupons' ids and codes are derived with, for its whole
 *     life
 */
public record Coupon(
    CouponDefinition definition,
    CouponStatus status,
    int revision,
    Partition partition,
    int codeKeyVersion) {

  public Coupon {
    if (revision < 1) {
      throw new IllegalArgumentException("revision must be positive: " + revision);
    }
    if (codeKeyVersion < 1) {
      throw new IllegalArgumentException("codeKeyVersion must be positive: " + codeKeyVersion);
    }
  }

  /** A coupon that nobody has claimed yet. */
  public static Coupon define(
      CouponDefinition definition, Partition partition, int codeKeyVersion) {
    return new Coupon(definition, CouponStatus.ACTIVE, 1, partition, codeKeyVersion);
  }

  public CouponId id() {
    return definition.couponId();
  }
}
