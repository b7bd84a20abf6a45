package io.firstcome.bootstrap.rest.redemption;

import io.firstcome.application.usercoupon.RedemptionRefusal;
import io.firstcome.application.usercoupon.UserCouponAnswer;
import io.firstcome.bootstrap.problem.Problem;
import io.firstcome.bootstrap.problem.ProblemType;
import io.firstcome.bootstrap.rest.request.UserCouponIds;
import java.util.function.Supplier;

/** The problems of refused redemptions, for customers and shops. */
final class RedemptionProblems {

  private RedemptionProblems() {}

  /**
   * The refusal as a problem.
   *
   * @param unknownUserCoupon the problem for a user coupon that does not exist
   */
  static Problem of(
      UserCouponAnswer.Refusal<RedemptionRefusal> refusal, Supplier<Problem> unknownUserCoupon) {
    return switch (refusal) {
      case UserCouponAnswer.Refused<RedemptionRefusal>(var reason) -> of(reason);
      case UserCouponAnswer.UnknownUserCoupon<RedemptionRefusal>() -> unknownUserCoupon.get();
      case UserCouponAnswer.ConcurrentChange<RedemptionRefusal>() -> Problem.concurrentChange();
    };
  }

  /**
   * Returns if the redemption was ended, now or before.
   *
   * @throws Problem if it was refused
   */
  static void requireDone(UserCouponAnswer<RedemptionRefusal> answer) {
    switch (answer) {
      case UserCouponAnswer.Done<RedemptionRefusal> _,
          UserCouponAnswer.DoneBefore<RedemptionRefusal> _ -> {}
      case UserCouponAnswer.Refusal<RedemptionRefusal> refusal ->
          throw of(refusal, UserCouponIds::unknown);
    }
  }

  private static Problem of(RedemptionRefusal refusal) {
    return switch (refusal) {
      case RedemptionRefusal.NotApplicable(var reason) ->
          Problem.of(ProblemType.NOT_APPLICABLE, "The coupon does not apply to this order.")
              .with("reason", reason.name());
      case RedemptionRefusal.Reason reason -> of(reason);
    };
  }

  private static Problem of(RedemptionRefusal.Reason reason) {
    return switch (reason) {
      case ALREADY_USED ->
          Problem.of(
              ProblemType.ALREADY_USED,
              "The coupon is used already. A use on this order is undone by its cancellation.");
      case HELD_BY_ANOTHER_ORDER ->
          Problem.of(ProblemType.HELD_BY_ANOTHER_ORDER, "The coupon is held for another order.");
      case EXPIRED -> Problem.of(ProblemType.EXPIRED, "The coupon has expired.");
      case NOT_USABLE -> Problem.of(ProblemType.NOT_USABLE, "The coupon was returned or revoked.");
      case OTHER_AMOUNT ->
          Problem.of(
              ProblemType.OTHER_AMOUNT,
              "The coupon is redeemed on this order with another amount; cancel that first.");
      case NOT_HELD ->
          Problem.of(
              ProblemType.NOT_HELD, "The coupon is no longer held for this order; hold it again.");
      case TAKEN_TOO_OFTEN ->
          Problem.of(
              ProblemType.TAKEN_TOO_OFTEN,
              "The coupon was held and released too often; it cannot be redeemed any more.");
      case NOT_USED ->
          Problem.of(
              ProblemType.NOT_USED, "The coupon was not used on this order; release its hold.");
      case TAKEN_BY_SHOP ->
          Problem.of(
              ProblemType.TAKEN_BY_SHOP,
              "The shop has taken the coupon for this order; only the shop can end that.");
      case ONLY_SHOPS_USE ->
          Problem.of(
              ProblemType.ONLY_SHOPS_USE,
              "Only a shop can use a coupon or undo its use; hold the coupon for the order.");
      case UNKNOWN_REDEMPTION -> UserCouponIds.unknownRedemption();
    };
  }
}
