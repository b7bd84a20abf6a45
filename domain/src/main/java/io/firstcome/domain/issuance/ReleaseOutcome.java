package io.firstcome.domain.issuance;

/** What the stock backend did with a slot that is to go back to stock. */
public sealed interface ReleaseOutcome {

  /** The slot is free now, and the user cannot claim again. */
  record Released() implements ReleaseOutcome {}

  /** The user does not hold the slot in that generation, or no more; nothing happened. */
  record NotHeld() implements ReleaseOutcome {}
}
