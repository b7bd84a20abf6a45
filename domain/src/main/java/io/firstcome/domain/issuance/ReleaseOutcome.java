package io.firstcome.domain.issuance;

/** What the stock backend did with a returned slot. */
public sealed interface ReleaseOutcome {

  /** The slot is free now, and the user cannot claim again. */
  record Released() implements ReleaseOutcome {}

  /** The user does not, or no longer, hold the slot in that generation; nothing happened. */
  record NotHeld() implements ReleaseOutcome {}
}
