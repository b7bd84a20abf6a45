package io.firstcome.domain.usercoupon;

import io.firstcome.domain.issuance.Epoch;
import io.firstcome.domain.issuance.Slot;

/** What became of an accepted claim that was to be written to the database. */
public sealed interface RecordOutcome {

  /** Its row was written now. */
  record Recorded() implements RecordOutcome {}

  /** The very row was there already: a redelivery. */
  record AlreadyRecorded() implements RecordOutcome {}

  /** The user has a row with another slot, which stays. */
  record UserHasOtherSlot(Slot recorded) implements RecordOutcome {}

  /** A live row gives the slot to somebody else. The claim was put with the late claims. */
  record SlotTaken() implements RecordOutcome {}

  /** The claim is of another epoch than its partition. It was put with the late claims. */
  record Late(Epoch current) implements RecordOutcome {}

  /** No coupon of that id exists. Nothing was written. */
  record UnknownCoupon() implements RecordOutcome {}

  /** The slot is above the coupon's total. Nothing was written. */
  record SlotOutOfRange(int totalQuantity) implements RecordOutcome {}
}
