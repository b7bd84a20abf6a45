package io.firstcome.application.claim;

import io.firstcome.domain.issuance.ClaimOutcome;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.usercoupon.UserCouponIdentity;

/** The answer to a customer's claim. */
public sealed interface ClaimAnswer {

  /** The slot is durably the customer's in the stock. Its row is written later. */
  record Accepted(UserCouponIdentity identity, Slot slot) implements ClaimAnswer {}

  /** The row is committed. */
  record Issued(UserCouponIdentity identity, Slot slot) implements ClaimAnswer {}

  /** The customer has had the slot since an earlier claim. */
  record AlreadyClaimed(UserCouponIdentity identity, Slot slot, RowState state)
      implements ClaimAnswer {}

  /** A definitive refusal of the stock backend. */
  record Refused(ClaimOutcome.Refusal refusal) implements ClaimAnswer {}

  /** There is no such coupon. */
  record UnknownCoupon() implements ClaimAnswer {}

  /** The coupon has a waiting room that has not admitted the customer. */
  record NotAdmitted(NotAdmittedReason reason) implements ClaimAnswer {}

  /** Why a customer is not admitted. */
  enum NotAdmittedReason {
    /** The claim has no admission. */
    MISSING,
    /** It is not an admission of this customer for this coupon. */
    INVALID,
    EXPIRED
  }

  /** The claim may have been accepted. Reading the status, or a retry, is safe. */
  record OutcomeUnknown() implements ClaimAnswer {}

  /** Nothing happened: the service is overloaded. */
  record Overloaded() implements ClaimAnswer {}

  /**
   * Nothing happened: the stock backend is not reachable or is being rebuilt, or this instance does
   * not have the coupon's code key.
   */
  record Recovering() implements ClaimAnswer {}

  /** The row of a claim that was accepted earlier. */
  enum RowState {
    /** There is no row yet. */
    ACCEPTED,
    ISSUED,
    HELD,
    USED,
    EXPIRED,
    /** There is a row; its state could not be read. */
    RECORDED,
    /** The database is not reachable, or too many states are being read. */
    NOT_KNOWN
  }
}
