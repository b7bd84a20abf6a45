package io.firstcome.domain.usercoupon;

import io.firstcome.domain.issuance.Epoch;
import io.firstcome.domain.issuance.Slot;

/** The outcome of recording an accepted claim. */
public sealed interface RecordOutcome {

  /** Its row was written now. */
  record Recorded() implements RecordOutcome {}

  /** The same row existed before: a redelivery. */
  record AlreadyRecorded() implements RecordOutcome {}

  /** The user has a row with another slot, which stays. */
  record UserHasOtherSlot(Slot recorded) implements RecordOutcome {}

  /** A live row gives the slot to another user. The claim was stored as a late claim. */
  record SlotTaken() implements RecordOutcome {}

  /** The claim has another epoch than its partition. It was stored as a late claim. */
  record Late(Epoch current) implements RecordOutcome {}

  /** No coupon of that id exists. Nothing was written. */
  record UnknownCoupon() implements RecordOutcome {}

  /** The slot is above the coupon's total. Nothing was written. */
  record SlotOutOfRange(int totalQuantity) implements RecordOutcome {}
}
