package io.firstcome.domain.issuance;

/**
 * One customer's request for one coupon; the call that carries the claim names the coupon.
 *
 * @param pseudonyms those of the coupon
 */
public record Claim(UserId userId, Pseudonyms pseudonyms) {

  /** What the ledger has in place of the user id if the user was erased. */
  public UserId pseudonym() {
    return pseudonyms.of(userId);
  }
}
