package io.firstcome.application.claim;

import io.firstcome.application.lane.LaneLimits;
import java.time.Duration;

/**
 * The limits of claims, and of joins of waiting rooms.
 *
 * @param waitingPerCoupon claims of one coupon that may wait; more are answered busy. At 100,000
 *     claims/s ten thousand wait a tenth of a second
 * @param waitingTime how long a claim may wait before it is answered busy
 * @param callTime within which a call must take effect at the stock, or never
 * @param answerTime how much longer than {@code callTime} the reply is waited for
 * @param claimsForFurtherCall how many claims must wait before a further call is sent while one is
 *     in flight; fewer go with the next call, since their wait costs less than a further call to
 *     the stock
 * @param lanes number of lanes, some hundred bytes each, from which on idle ones are closed
 * @param rowReads rows that are read at a time to answer repeated claims; further ones are answered
 *     without the state of the row
 */
public record ClaimLimits(
    int waitingPerCoupon,
    Duration waitingTime,
    Duration callTime,
    Duration answerTime,
    int claimsForFurtherCall,
    int lanes,
    int rowReads)
    implements LaneLimits {

  /** The values for production. */
  public static ClaimLimits defaults() {
    return new ClaimLimits(
        10_000, Duration.ofSeconds(2), Duration.ofSeconds(1), Duration.ofMillis(250), 32, 1_000, 4);
  }
}
