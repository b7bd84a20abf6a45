package io.firstcome.domain.issuance;

/**
 * The stock backend's answer to a request to stop the allocation of slots before the first claim.
 */
public enum FreezeOutcome {
  /** No slot is allocated until the stock gets newer terms. */
  FROZEN,
  /** A user has claimed the coupon; nothing happened. */
  CLAIMED,
  /** The stock has an earlier or later revision of the coupon; nothing happened. */
  OTHER_REVISION
}
