package io.firstcome.domain.issuance;

import io.firstcome.domain.coupon.CouponId;
import java.time.Instant;

/**
 * An accepted claim that can never be recorded as it stands, put where an operator finds it.
 *
 * @param reason in words, without the user's id
 */
public record SetAsideClaim(
    EntryReference reference,
    CouponId couponId,
    Instant acceptedAt,
    SlotClaim claim,
    String reason) {}
