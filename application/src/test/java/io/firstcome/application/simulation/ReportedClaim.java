package io.firstcome.application.simulation;

import io.firstcome.application.claim.ClaimAnswer;
import io.firstcome.application.claim.FindClaim;
import io.firstcome.application.simulation.AnswerRecord.Request;
import io.firstcome.application.usercoupon.UserCouponAnswer;
import io.firstcome.domain.issuance.ClaimOutcome;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.usercoupon.UserCoupon;
import io.firstcome.domain.usercoupon.UserCouponIdentity;
import org.jspecify.annotations.Nullable;

/** The state of a claim according to an answer, whatever the kind of the request. */
record ReportedClaim(State state, @Nullable UserCouponIdentity identity, @Nullable Slot slot) {

  enum State {
    ROW,
    ACCEPTED,
    /** The user has the slot, and the row is unknown because the database was not reachable. */
    HELD,
    RETURNED,
    REJECTED,
    NO_CLAIM,
    SOLD_OUT,
    NOTHING_HAPPENED,
    NOT_KNOWN
  }

  static ReportedClaim of(Request request) {
    return switch (request.answer) {
      case ClaimAnswer answer -> of(answer);
      case FindClaim.Result result -> of(result);
      case UserCouponAnswer.Done<?>(UserCoupon row) -> of(row);
      case UserCouponAnswer.DoneBefore<?>(UserCoupon row) -> of(row);
      case UserCouponAnswer.Refusal<?> _ -> new ReportedClaim(State.NOTHING_HAPPENED, null, null);
      case null, default -> {
        boolean harmless = request.kind == AnswerRecord.Kind.STATUS;
        yield new ReportedClaim(harmless ? State.NOTHING_HAPPENED : State.NOT_KNOWN, null, null);
      }
    };
  }

  private static ReportedClaim of(UserCoupon row) {
    return new ReportedClaim(isEnded(row) ? State.RETURNED : State.ROW, row.identity(), row.slot());
  }

  /** Whether it was returned or revoked. */
  static boolean isEnded(@Nullable UserCoupon row) {
    return row instanceof UserCoupon.Returned || row instanceof UserCoupon.Revoked;
  }

  private static ReportedClaim of(ClaimAnswer answer) {
    return switch (answer) {
      case ClaimAnswer.Issued(var identity, var slot) ->
          new ReportedClaim(State.ROW, identity, slot);
      case ClaimAnswer.Accepted(var identity, var slot) ->
          new ReportedClaim(State.ACCEPTED, identity, slot);
      case ClaimAnswer.AlreadyClaimed(var identity, var slot, var row) ->
          new ReportedClaim(
              switch (row) {
                case ISSUED, HELD, USED, EXPIRED, RECORDED -> State.ROW;
                case ACCEPTED -> State.ACCEPTED;
                case NOT_KNOWN -> State.HELD;
              },
              identity,
              slot);
      case ClaimAnswer.Refused(ClaimOutcome.Rejected _) ->
          new ReportedClaim(State.REJECTED, null, null);
      case ClaimAnswer.Refused(ClaimOutcome.Returned _) ->
          new ReportedClaim(State.RETURNED, null, null);
      case ClaimAnswer.Refused(ClaimOutcome.SoldOut _) ->
          new ReportedClaim(State.SOLD_OUT, null, null);
      case ClaimAnswer.OutcomeUnknown _ -> new ReportedClaim(State.NOT_KNOWN, null, null);
      case ClaimAnswer.Refused _,
          ClaimAnswer.UnknownCoupon _,
          ClaimAnswer.NotAdmitted _,
          ClaimAnswer.Overloaded _,
          ClaimAnswer.Recovering _ ->
          new ReportedClaim(State.NOTHING_HAPPENED, null, null);
    };
  }

  private static ReportedClaim of(FindClaim.Result result) {
    return switch (result) {
      case FindClaim.Result.Recorded(UserCoupon row) -> of(row);
      case FindClaim.Result.Accepted(var identity, var slot) ->
          new ReportedClaim(State.ACCEPTED, identity, slot);
      case FindClaim.Result.Rejected _ -> new ReportedClaim(State.REJECTED, null, null);
      case FindClaim.Result.None _ -> new ReportedClaim(State.NO_CLAIM, null, null);
      case FindClaim.Result.Returned _ -> new ReportedClaim(State.RETURNED, null, null);
      case FindClaim.Result.UnknownCoupon _ -> throw new AssertionError("all coupons are known");
    };
  }
}
