package io.firstcome.domain.coupon;

import java.time.Instant;

/**
 * A coupon with the times that its storage keeps.
 *
 * @param definedAt when it was defined
 * @param changedAt when an operator last changed it; {@code definedAt} if none did
 */
public record StoredCoupon(Coupon coupon, Instant definedAt, Instant changedAt) {}
