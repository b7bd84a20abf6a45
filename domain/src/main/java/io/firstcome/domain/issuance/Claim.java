package io.firstcome.domain.issuance;

import org.jspecify.annotations.Nullable;

/**
 * One customer's request for one coupon; the call that carries the claim names the coupon.
 *
 * @param pseudonym what the ledger has in place of the user id if the user was erased; null if the
 *     stock has not asked for it (see {@link ClaimOutcome.Repeat})
 */
public record Claim(UserId userId, @Nullable UserId pseudonym) {}
