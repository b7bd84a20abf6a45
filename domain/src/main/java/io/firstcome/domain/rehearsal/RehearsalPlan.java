package io.firstcome.domain.rehearsal;

import io.firstcome.domain.coupon.CouponId;

/**
 * What is rehearsed.
 *
 * @param couponId the coupon of which a clone is issued
 * @param users synthetic users, with one claim each, 1 to {@value #MAX_USERS}
 * @param quantity slots of the clone, 1 to {@value #MAX_USERS}
 */
public record RehearsalPlan(CouponId couponId, int users, int quantity, ArrivalCurve arrival) {

  /** Each user who gets a coupon is a row, which is removed afterwards. */
  public static final int MAX_USERS = 1_000_000;

  public RehearsalPlan {
    require("users", users);
    require("quantity", quantity);
  }

  private static void require(String member, int value) {
    if (value < 1 || value > MAX_USERS) {
      throw new IllegalArgumentException(
          "%s must be 1 to %d: %d".formatted(member, MAX_USERS, value));
    }
  }
}
