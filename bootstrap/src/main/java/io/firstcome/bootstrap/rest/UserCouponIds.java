package io.firstcome.bootstrap.rest;

import io.firstcome.domain.usercoupon.OrderId;
import io.firstcome.domain.usercoupon.RedemptionId;
import io.firstcome.domain.usercoupon.UserCouponId;

/** Reads ids of user coupons and redemptions from paths. What spells none names nothing. */
final class UserCouponIds {

  private UserCouponIds() {}

  static UserCouponId parse(String path) {
    try {
      return UserCouponId.parse(path);
    } catch (IllegalArgumentException e) {
      throw unknown();
    }
  }

  static RedemptionId parse(String userCouponId, String orderId) {
    var id = parse(userCouponId);
    try {
      return new RedemptionId(id, new OrderId(orderId));
    } catch (IllegalArgumentException e) {
      throw unknownRedemption();
    }
  }

  /** The whole id of a redemption, as a shop names it. */
  static RedemptionId parseRedemption(String path) {
    try {
      return RedemptionId.parse(path);
    } catch (IllegalArgumentException e) {
      throw unknownRedemption();
    }
  }

  static Problem unknown() {
    return Problem.notFound(
        "unknown-user-coupon",
        "Unknown user coupon",
        "There is no coupon of this id that you may see.");
  }

  static Problem unknownRedemption() {
    return Problem.notFound(
        "unknown-redemption",
        "Unknown redemption",
        "The coupon was never taken for this order; nothing changed.");
  }
}
