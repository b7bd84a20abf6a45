package io.firstcome.domain.issuance;

/** What the ledger says of a user. */
public sealed interface LedgerMark {

  /** The user holds the slot. */
  record Holds(Slot slot) implements LedgerMark {}

  /** The user held the slot and it went back. */
  record GaveBack(Slot slot) implements LedgerMark {}

  /** The user's claim was rejected for good. */
  record WasRejected() implements LedgerMark {}
}
