package io.firstcome.application;

import io.firstcome.domain.issuance.ClaimOutcome;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.usercoupon.UserCouponIdentity;

/** What a customer is told of their claim. */
public sealed interface ClaimAnswer {

  /** The slot is theirs, durably at the stock backend. The row follows. */
  record Accepted(UserCouponIdentity identity, Slot slot) implements ClaimAnswer {}

  /** The row is committed. */
  record Issued(UserCouponIdentity identity, Slot slot) implements ClaimAnswer {}

  /** They have had it since an earlier claim. */
  record AlreadyIssued(UserCouponIdentity identity, Slot slot, RowState state)
      implements ClaimAnswer {}

  /** The definitive refusals of the stock backend, as it gave them. */
  record Refused(ClaimOutcome outcome) implements ClaimAnswer {}

  /** There is no such coupon. */
  record UnknownCoupon() implements ClaimAnswer {}

  /** The coupon has a waiting room that has not admitted the customer. */
  record AdmissionRequired() implements ClaimAnswer {}

  /** It may have happened. Asking for the status, or repeating, is safe. */
  record OutcomeUnknown() implements ClaimAnswer {}

  /** Nothing happened: too much is going on. */
  record Overloaded() implements ClaimAnswer {}

  /**
   * Nothing happened: the stock backend is away or is being rebuilt, or this instance does not have
   * the coupon's code key.
   */
  record Recovering() implements ClaimAnswer {}

  /** What the database says of a claim that was accepted earlier. */
  enum RowState {
    /** There is no row yet. */
    ACCEPTED,
    ISSUED,
    HELD,
    USED,
    EXPIRED,
    /** The database could not be asked. */
    NOT_KNOWN
  }
}
