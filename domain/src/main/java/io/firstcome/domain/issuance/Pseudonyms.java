package io.firstcome.domain.issuance;

/**
 * Derives what stands in place of a user id after the user was erased. It is the same for the same
 * user, so that a user who was erased cannot claim a coupon twice, and nobody without the key can
 * find the user from it.
 */
@FunctionalInterface
public interface Pseudonyms {

  /** The pseudonym of the user, for which {@link UserId#isPseudonym()} holds. */
  UserId of(UserId user);
}
