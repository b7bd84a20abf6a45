package io.firstcome.domain.issuance;

/** The ledger's mark of a user. */
public sealed interface LedgerMark {

  /** The user holds the slot. */
  record Holds(Slot slot) implements LedgerMark {}

  /** The user held the slot, and it was returned. */
  record GaveBack(Slot slot) implements LedgerMark {}

  /** The user's claim was rejected permanently. */
  record WasRejected() implements LedgerMark {}
}
