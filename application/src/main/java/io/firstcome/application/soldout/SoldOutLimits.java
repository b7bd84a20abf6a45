package io.firstcome.application.soldout;

import java.time.Duration;

/**
 * The limits of refusals under leases.
 *
 * @param refusalsBeforeRequest refused claims of a coupon between two requests of a lease. So a
 *     lease costs less than a hundredth of the calls that it saves, and coupons that few users
 *     claim have none
 * @param requestEvery shortest time between two requests: less than half of the length of a lease,
 *     so that the next one is there before the last one ends
 * @param coupons how many coupons have leases at a time
 */
public record SoldOutLimits(int refusalsBeforeRequest, Duration requestEvery, int coupons) {

  /** The values for production. */
  public static SoldOutLimits defaults() {
    return new SoldOutLimits(100, Duration.ofMillis(400), 1_000);
  }
}
