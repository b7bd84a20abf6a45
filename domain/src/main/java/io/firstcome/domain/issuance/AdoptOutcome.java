package io.firstcome.domain.issuance;

/** What the stock backend did with a late claim. */
public sealed interface AdoptOutcome {

  /** The user holds this slot, since now or before. */
  record Adopted(Slot slot) implements AdoptOutcome {}

  /** The user's slot was returned meanwhile; there is nothing to record. */
  record GoneBack() implements AdoptOutcome {}

  /** No slot was left; the ledger marks the claim as rejected. */
  record Rejected() implements AdoptOutcome {}
}
