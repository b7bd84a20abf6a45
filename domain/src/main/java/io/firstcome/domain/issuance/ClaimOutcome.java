package io.firstcome.domain.issuance;

import java.time.Instant;

/** What the stock backend answers to one claim. */
public sealed interface ClaimOutcome {

  /** The slot is the user's, durably, and on its way to the database. */
  record Accepted(Slot slot) implements ClaimOutcome {}

  /** The slot is the user's, and the row that says so is committed. */
  record Issued(Slot slot) implements ClaimOutcome {}

  /** The user has held this slot since an earlier claim. */
  record AlreadyIssued(Slot slot) implements ClaimOutcome {}

  /** The user had a coupon and it went back; nobody claims twice. */
  record Returned() implements ClaimOutcome {}

  /** An earlier claim of the user lost its slot to a disaster and none was left. */
  record Rejected() implements ClaimOutcome {}

  /** No slot is left. */
  record SoldOut() implements ClaimOutcome {}

  /** The window opens later. */
  record NotOpen(Instant opensAt) implements ClaimOutcome {}

  /** The window is over, or an operator closed the coupon. */
  record Closed() implements ClaimOutcome {}

  /** An operator holds the coupon back for now. */
  record Paused() implements ClaimOutcome {}

  /** Nothing happened because too much is waiting; a slot may still be free. */
  record Busy() implements ClaimOutcome {}
}
