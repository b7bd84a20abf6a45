package io.firstcome.application;

import io.firstcome.application.AnswerRecord.Request;
import io.firstcome.domain.issuance.ClaimOutcome;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.usercoupon.UserCoupon;
import io.firstcome.domain.usercoupon.UserCouponIdentity;
import org.jspecify.annotations.Nullable;

/** What a customer was told of a claim, whichever way they asked. */
record Told(State state, @Nullable UserCouponIdentity identity, @Nullable Slot slot) {

  enum State {
    ROW,
    ACCEPTED,
    /** They have the slot, and the database could not be asked for the row. */
    HELD,
    RETURNED,
    REJECTED,
    NO_CLAIM,
    SOLD_OUT,
    NOTHING_HAPPENED,
    NOT_KNOWN
  }

  static Told of(Request request) {
    return switch (request.answer) {
      case ClaimAnswer answer -> of(answer);
      case FindClaim.Result result -> of(result);
      case UserCouponAnswer.Done(UserCoupon row) -> of(row);
      case UserCouponAnswer.DoneBefore(UserCoupon row) -> of(row);
      case UserCouponAnswer _ -> new Told(State.NOTHING_HAPPENED, null, null);
      case null, default -> {
        boolean harmless = request.kind == AnswerRecord.Kind.STATUS;
        yield new Told(harmless ? State.NOTHING_HAPPENED : State.NOT_KNOWN, null, null);
      }
    };
  }

  private static Told of(UserCoupon row) {
    return new Told(isEnded(row) ? State.RETURNED : State.ROW, row.identity(), row.slot());
  }

  /** Whether it was returned or revoked. */
  static boolean isEnded(@Nullable UserCoupon row) {
    return row instanceof UserCoupon.Returned || row instanceof UserCoupon.Revoked;
  }

  private static Told of(ClaimAnswer answer) {
    return switch (answer) {
      case ClaimAnswer.Issued(var identity, var slot) -> new Told(State.ROW, identity, slot);
      case ClaimAnswer.Accepted(var identity, var slot) -> new Told(State.ACCEPTED, identity, slot);
      case ClaimAnswer.AlreadyIssued(var identity, var slot, var row) ->
          new Told(
              switch (row) {
                case ISSUED, HELD, USED, EXPIRED -> State.ROW;
                case ACCEPTED -> State.ACCEPTED;
                case NOT_KNOWN -> State.HELD;
              },
              identity,
              slot);
      case ClaimAnswer.Refused(ClaimOutcome.Rejected _) -> new Told(State.REJECTED, null, null);
      case ClaimAnswer.Refused(ClaimOutcome.Returned _) -> new Told(State.RETURNED, null, null);
      case ClaimAnswer.Refused(ClaimOutcome.SoldOut _) -> new Told(State.SOLD_OUT, null, null);
      case ClaimAnswer.OutcomeUnknown _ -> new Told(State.NOT_KNOWN, null, null);
      case ClaimAnswer.Refused _,
          ClaimAnswer.UnknownCoupon _,
          ClaimAnswer.AdmissionRequired _,
          ClaimAnswer.Overloaded _,
          ClaimAnswer.Recovering _ ->
          new Told(State.NOTHING_HAPPENED, null, null);
    };
  }

  private static Told of(FindClaim.Result result) {
    return switch (result) {
      case FindClaim.Result.Recorded(UserCoupon row) -> of(row);
      case FindClaim.Result.Accepted(var identity, var slot) ->
          new Told(State.ACCEPTED, identity, slot);
      case FindClaim.Result.Rejected _ -> new Told(State.REJECTED, null, null);
      case FindClaim.Result.None _ -> new Told(State.NO_CLAIM, null, null);
      case FindClaim.Result.Returned _ -> new Told(State.RETURNED, null, null);
      case FindClaim.Result.UnknownCoupon _ -> throw new AssertionError("all are known");
    };
  }
}
