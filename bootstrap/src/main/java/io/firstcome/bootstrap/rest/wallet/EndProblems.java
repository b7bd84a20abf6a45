package io.firstcome.bootstrap.rest.wallet;

import io.firstcome.application.usercoupon.UserCouponAnswer;
import io.firstcome.bootstrap.rest.problem.Problem;
import io.firstcome.bootstrap.rest.redemption.RedemptionProblems;
import io.firstcome.bootstrap.rest.request.UserCouponIds;

/** The problems of a user coupon that cannot be returned or revoked. */
public final class EndProblems {

  private EndProblems() {}

  public static Problem of(UserCouponAnswer refusal) {
    return refusal instanceof UserCouponAnswer.Refused(var reason)
        ? Problem.conflict("not-usable", "Not usable", detail(reason))
        : RedemptionProblems.of(refusal, UserCouponIds::unknown);
  }

  private static String detail(UserCouponAnswer.Reason reason) {
    return switch (reason) {
      case HELD_BY_ANOTHER_ORDER -> "The coupon is held for an order; cancel that first.";
      case ALREADY_USED -> "The coupon was used.";
      case EXPIRED -> "The coupon has expired.";
      case NOT_USABLE -> "The coupon was returned or revoked.";
      case OTHER_AMOUNT, NOT_HELD, TAKEN_TOO_OFTEN ->
          throw new IllegalStateException("not a reason against a return or revocation: " + reason);
    };
  }
}
