package io.firstcome.domain.issuance;

/** What the stock backend did with a returned slot. */
public sealed interface ReleaseOutcome {

  /** The slot is free now, and the user cannot claim again. */
  record Released() implements ReleaseOutcome {}

  /**
   * The slot is free, by this call or an earlier one, and the user cannot claim again. But nobody
   * gets it while a lease on "sold out" may be in use. The release is to be repeated, so that the
   * caller learns when that has ended.
   */
  record Withheld() implements ReleaseOutcome {}

  /** The user does not, or no longer, hold the slot in that generation; nothing happened. */
  record NotHeld() implements ReleaseOutcome {}
}
