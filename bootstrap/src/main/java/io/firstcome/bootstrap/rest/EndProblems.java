package io.firstcome.bootstrap.rest;

import io.firstcome.application.UserCouponAnswer;

/** What is told of a user coupon that cannot be given back or revoked. */
final class EndProblems {

  private EndProblems() {}

  static Problem of(UserCouponAnswer refusal) {
    return refusal instanceof UserCouponAnswer.Refused(var reason)
        ? Problem.conflict("not-usable", "Not usable", detail(reason))
        : RedemptionProblems.of(refusal, UserCouponIds::unknown);
  }

  private static String detail(UserCouponAnswer.Reason reason) {
    return switch (reason) {
      case HELD_BY_ANOTHER_ORDER -> "It is kept for an order; cancel that first.";
      case ALREADY_USED -> "It was used.";
      case EXPIRED -> "Its validity is over.";
      case NOT_USABLE -> "It was given back or taken away.";
      case OTHER_AMOUNT, NOT_HELD, TAKEN_TOO_OFTEN ->
          throw new IllegalStateException("not a reason against an end: " + reason);
    };
  }
}
