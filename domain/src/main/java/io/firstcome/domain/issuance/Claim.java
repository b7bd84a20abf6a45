package io.firstcome.domain.issuance;

/** One customer's request for one coupon; the call that carries the claim names the coupon. */
public record Claim(UserId userId) {}
