package io.firstcome.bootstrap.rest;

import io.firstcome.application.UserCouponAnswer;
import java.time.Duration;
import java.util.function.Supplier;

/** What customers and shops are told whose wish for a redemption is refused. */
final class RedemptionProblems {

  private static final Duration SOON = Duration.ofSeconds(1);

  private RedemptionProblems() {}

  /**
   * The refusal as a problem.
   *
   * @param unknownUserCoupon what this caller is told of a user coupon that is not there
   */
  static Problem of(UserCouponAnswer refusal, Supplier<Problem> unknownUserCoupon) {
    return switch (refusal) {
      case UserCouponAnswer.NotApplicable(var reason) ->
          Problem.conflict(
                  "not-applicable", "Not applicable", "The coupon does not apply to this order.")
              .with("reason", reason.name());
      case UserCouponAnswer.Refused(var reason) -> of(reason);
      case UserCouponAnswer.UnknownUserCoupon() -> unknownUserCoupon.get();
      case UserCouponAnswer.UnknownRedemption() -> UserCouponIds.unknownRedemption();
      case UserCouponAnswer.Overtaken() ->
          Problem.unavailable(
              "overloaded",
              "Overloaded",
              "Others change this coupon at the same time; nothing happened. Try again.",
              SOON);
      case UserCouponAnswer.Done _, UserCouponAnswer.DoneBefore _ ->
          throw new IllegalStateException("not a refusal: " + refusal);
    };
  }

  private static Problem of(UserCouponAnswer.Reason reason) {
    return switch (reason) {
      case ALREADY_USED ->
          Problem.conflict("already-used", "Already used", "It was used on another order.");
      case HELD_BY_ANOTHER_ORDER ->
          Problem.conflict(
              "held-by-another-order", "Held by another order", "It is kept for another order.");
      case EXPIRED -> Problem.conflict("expired", "Expired", "Its validity is over.");
      case NOT_USABLE ->
          Problem.conflict("not-usable", "Not usable", "It was given back or taken away.");
      case OTHER_AMOUNT ->
          Problem.conflict(
              "other-amount",
              "Other amount",
              "It is taken for this order with another amount; cancel that first.");
      case NOT_HELD ->
          Problem.conflict(
              "not-held", "Not held", "It is not kept for this order any more; ask for it again.");
      case TAKEN_TOO_OFTEN ->
          Problem.conflict(
              "taken-too-often",
              "Taken too often",
              "It was taken and released too often, and cannot be taken any more.");
    };
  }
}
