package io.firstcome.application.usercoupon;

import java.time.Duration;

/**
 * The limits of work on user coupons.
 *
 * @param expiryBatch user coupons whose expiry is recorded together; each stays locked until all
 *     are
 * @param returnPage returned slots that are read at a time
 * @param wrongCodes coupon codes that one customer, or one address, may get wrong within {@code
 *     wrongCodesWindow} before it is locked out
 * @param wrongCodesOfShop the same of a shop: more than all its customers mistype, and far too few
 *     to guess a code
 * @param wrongCodesWindow how long wrong codes are counted together, from the first one; a lock-out
 *     ends with it
 * @param forgetBatch counts of wrong codes that are deleted together when their time is over
 */
public record UserCouponLimits(
    int expiryBatch,
    int returnPage,
    int wrongCodes,
    int wrongCodesOfShop,
    Duration wrongCodesWindow,
    int forgetBatch) {

  /** The values for production. */
  public static UserCouponLimits defaults() {
    return new UserCouponLimits(500, 1_000, 20, 2_000, Duration.ofMinutes(1), 1_000);
  }
}
