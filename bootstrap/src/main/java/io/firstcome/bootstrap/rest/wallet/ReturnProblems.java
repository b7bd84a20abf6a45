package io.firstcome.bootstrap.rest.wallet;

import io.firstcome.application.usercoupon.ReturnRefusal;
import io.firstcome.application.usercoupon.UserCouponAnswer;
import io.firstcome.bootstrap.problem.Problem;
import io.firstcome.bootstrap.problem.ProblemType;
import io.firstcome.bootstrap.rest.request.UserCouponIds;

/** The problems of a user coupon that cannot be returned or revoked. */
public final class ReturnProblems {

  private ReturnProblems() {}

  public static Problem of(UserCouponAnswer.Refusal<ReturnRefusal> refusal) {
    return switch (refusal) {
      case UserCouponAnswer.Refused<ReturnRefusal>(ReturnRefusal reason) ->
          Problem.of(ProblemType.NOT_USABLE, detail(reason));
      case UserCouponAnswer.UnknownUserCoupon<ReturnRefusal>() -> UserCouponIds.unknown();
      case UserCouponAnswer.ConcurrentChange<ReturnRefusal>() -> Problem.concurrentChange();
    };
  }

  private static String detail(ReturnRefusal reason) {
    return switch (reason) {
      case HELD -> "The coupon is held for an order; cancel that first.";
      case USED -> "The coupon was used.";
      case EXPIRED -> "The coupon has expired.";
      case RETURNED_OR_REVOKED -> "The coupon was returned or revoked.";
    };
  }
}
