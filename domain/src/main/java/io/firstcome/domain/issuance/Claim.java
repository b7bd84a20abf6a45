package io.firstcome.domain.issuance;

/** One customer's request for one coupon; the coupon is said by the call that carries the claim. */
public record Claim(UserId userId) {}
