package io.firstcome.application;

import java.time.Duration;

/** Limits small enough to be met. */
final class LimitsForTests {

  private LimitsForTests() {}

  static ApplicationLimits with(
      Duration waitingTime, Duration callTime, int waitingPerCoupon, int claimsWorthACall) {
    return with(waitingTime, callTime, waitingPerCoupon, claimsWorthACall, Duration.ofMinutes(5));
  }

  /** Small ones, and whatever is in the log is stuck there. */
  static ApplicationLimits stuckAtOnce() {
    return with(Duration.ofSeconds(2), Duration.ofSeconds(1), 1_000, 4, Duration.ZERO);
  }

  private static ApplicationLimits with(
      Duration waitingTime,
      Duration callTime,
      int waitingPerCoupon,
      int claimsWorthACall,
      Duration stuckAfter) {
    return new ApplicationLimits(
        waitingPerCoupon,
        waitingTime,
        callTime,
        Duration.ofMillis(50),
        claimsWorthACall,
        10,
        Duration.ofMillis(1),
        Duration.ZERO,
        50,
        5,
        4,
        1,
        Duration.ofMillis(50),
        Duration.ofMillis(1),
        7,
        6,
        stuckAfter,
        100,
        100,
        Duration.ZERO,
        3,
        20,
        Duration.ofMinutes(1),
        5,
        3,
        7,
        1,
        Duration.ofMillis(200));
  }

  /** Pages and batches of a few, so that the loops over them are walked. */
  static ApplicationLimits small() {
    return with(Duration.ofSeconds(2), Duration.ofSeconds(1), 1_000, 4);
  }
}
