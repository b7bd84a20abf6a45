package io.firstcome.domain.issuance;

import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.usercoupon.UserCouponIdentity;
import java.time.Instant;

/**
 * A claim that holds a slot and waits for its row.
 *
 * @param epoch in which the slot was given
 * @param acceptedAt by the stock backend's clock
 * @param identity the id and code that its user coupon has, now and ever
 */
public record AcceptedClaim(
    CouponId couponId,
    UserId userId,
    Slot slot,
    Partition partition,
    Epoch epoch,
    Instant acceptedAt,
    UserCouponIdentity identity) {}
