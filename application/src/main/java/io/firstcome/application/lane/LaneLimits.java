package io.firstcome.application.lane;

import java.time.Duration;

/** The limits of requests that are sent in groups. */
public interface LaneLimits {

  /** Requests of one coupon that may wait; more are answered busy. */
  int waitingPerCoupon();

  /** How long a request may wait before it is answered busy. */
  Duration waitingTime();

  /** Within which a call must take effect at the stock, or never. */
  Duration callTime();

  /** How much longer than {@link #callTime} the reply is waited for. */
  Duration answerTime();

  /** How many requests must wait before a further call is sent while one is in flight. */
  int claimsForFurtherCall();

  /** The number of lanes from which on idle ones are closed. */
  int lanes();
}
