package io.firstcome.domain.issuance;

import java.time.Instant;

/** The stock backend's answer to one claim. */
public sealed interface ClaimOutcome {

  /** The slot is durably the user's, and not recorded in the database yet. */
  record Accepted(Slot slot) implements ClaimOutcome {}

  /** The slot is the user's, and its row is committed. */
  record Issued(Slot slot) implements ClaimOutcome {}

  /** The user has held this slot since an earlier claim. */
  record AlreadyIssued(Slot slot) implements ClaimOutcome {}

  /**
   * The user does not get the coupon. A retry does not change that, unless the coupon opens,
   * resumes or has free slots again, or the user returns another one of the campaign.
   */
  sealed interface Refusal extends ClaimOutcome {}

  /**
   * The user had the coupon and returned it, or it was revoked, or the user had it and was erased;
   * no user can claim it twice.
   */
  record Returned() implements Refusal {}

  /** An earlier claim of the user lost its slot in a loss of data, and no other slot was left. */
  record Rejected() implements Refusal {}

  /** The user has as many coupons of the campaign as it allows. */
  record CampaignLimit() implements Refusal {}

  /** No slot is left. */
  record SoldOut() implements Refusal {}

  /**
   * A slot became free, but no user gets it yet: other instances may still refuse claims under a
   * {@link SoldOutLease}.
   */
  record Withheld() implements ClaimOutcome {}

  /** The window opens later. */
  record NotOpen(Instant opensAt) implements Refusal {}

  /** The window is over, or an operator closed the coupon. */
  record Closed() implements Refusal {}

  /** An operator paused the coupon. */
  record Paused() implements Refusal {}

  /**
   * Nothing happened, because of overload or because an operator edits the coupon; a slot may still
   * be free.
   */
  record Busy() implements ClaimOutcome {}

  /**
   * Nothing happened: users of the coupon were erased, and the call has no pseudonyms to compare
   * with the ledger. All claims of the call have this outcome, and it must be repeated with them.
   */
  record Repeat() implements ClaimOutcome {}
}
