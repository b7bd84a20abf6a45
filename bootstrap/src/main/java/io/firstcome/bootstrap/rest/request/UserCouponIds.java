package io.firstcome.bootstrap.rest.request;

import io.firstcome.bootstrap.problem.Problem;
import io.firstcome.bootstrap.problem.ProblemType;
import io.firstcome.domain.shop.OrderId;
import io.firstcome.domain.usercoupon.RedemptionId;
import io.firstcome.domain.usercoupon.UserCouponId;

/** Reads ids of user coupons and redemptions from paths. An invalid id is an unknown one. */
public final class UserCouponIds {

  private UserCouponIds() {}

  public static UserCouponId parse(String path) {
    try {
      return UserCouponId.parse(path);
    } catch (IllegalArgumentException e) {
      throw unknown();
    }
  }

  public static RedemptionId parse(String userCouponId, String orderId) {
    var id = parse(userCouponId);
    try {
      return new RedemptionId(id, new OrderId(orderId));
    } catch (IllegalArgumentException e) {
      throw unknownRedemption();
    }
  }

  /** Reads the complete id of a redemption, as shops send it. */
  public static RedemptionId parseRedemption(String path) {
    try {
      return RedemptionId.parse(path);
    } catch (IllegalArgumentException e) {
      throw unknownRedemption();
    }
  }

  public static Problem unknown() {
    return Problem.of(
        ProblemType.UNKNOWN_USER_COUPON, "There is no coupon with this id that you may see.");
  }

  public static Problem unknownRedemption() {
    return Problem.of(
        ProblemType.UNKNOWN_REDEMPTION,
        "The coupon was never redeemed on this order; nothing changed.");
  }

  /** The claim is accepted, and its row is not written yet. */
  public static Problem notYetIssued() {
    return Problem.of(
        ProblemType.NOT_YET_ISSUED,
        "The claim is accepted; the coupon is not recorded yet. Retry.");
  }
}
