package io.firstcome.domain.issuance;

/** What the stock backend did with a late claim. */
public sealed interface AdoptOutcome {

  /** The user holds this slot, from now or from before. */
  record Adopted(Slot slot) implements AdoptOutcome {}

  /** The user's coupon has gone back since; there is nothing to record. */
  record GoneBack() implements AdoptOutcome {}

  /** No slot was left; the ledger says so from now on. */
  record Rejected() implements AdoptOutcome {}
}
