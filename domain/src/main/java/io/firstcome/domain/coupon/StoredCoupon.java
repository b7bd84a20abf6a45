package io.firstcome.domain.coupon;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A coupon with what only its storage knows of it.
 *
 * @param definedAt when it was defined
 * @param changedAt when an operator last changed it; {@code definedAt} if none did
 * @param removal of the rows of its user coupons; null if it has not begun
 */
public record StoredCoupon(
    Coupon coupon, Instant definedAt, Instant changedAt, @Nullable Removal removal) {

  public StoredCoupon(Coupon coupon, Instant definedAt, Instant changedAt) {
    this(coupon, definedAt, changedAt, null);
  }

  /**
   * The first time at which the coupon could be claimed: its opening, or its definition if that is
   * later.
   */
  public Instant claimableFrom() {
    var opensAt = coupon.definition().window().opensAt();
    return opensAt.isBefore(definedAt) ? definedAt : opensAt;
  }

  /**
   * The removal of the rows of user coupons whose retention is over.
   *
   * @param begunAt since when no row is inserted for the coupon
   * @param endedAt when the last row was removed; null if it is in progress
   * @param userCoupons how many were exported and removed so far
   */
  public record Removal(Instant begunAt, @Nullable Instant endedAt, int userCoupons) {}
}
