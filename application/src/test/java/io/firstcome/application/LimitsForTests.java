package io.firstcome.application;

import io.firstcome.application.claim.ClaimLimits;
import io.firstcome.application.event.EventLimits;
import io.firstcome.application.reconciliation.ComparisonLimits;
import io.firstcome.application.recording.RecordingLimits;
import io.firstcome.application.recovery.RecoveryLimits;
import io.firstcome.application.retention.RetentionLimits;
import io.firstcome.application.soldout.SoldOutLimits;
import io.firstcome.application.usercoupon.UserCouponLimits;
import io.firstcome.application.waitingroom.RoomLimits;
import java.time.Duration;

/**
 * Limits that tests can reach. Pages and batches are small, so that loops over them run several
 * times.
 */
public final class LimitsForTests {

  private LimitsForTests() {}

  public static ApplicationLimits small() {
    return new ApplicationLimits(
        claims(Duration.ofSeconds(2), Duration.ofSeconds(1), 1_000),
        new SoldOutLimits(1_000, Duration.ofMillis(400), 10),
        new RoomLimits(
            300, 20, Duration.ofSeconds(5), Duration.ofSeconds(1), Duration.ofSeconds(1)),
        new RecordingLimits(
            10,
            Duration.ofMillis(1),
            Duration.ZERO,
            50,
            Duration.ofMillis(1),
            100,
            Duration.ofSeconds(1),
            7,
            Duration.ZERO,
            3),
        new RecoveryLimits(1, Duration.ofMillis(50), Duration.ofMillis(1), 6, 10),
        comparison(Duration.ofMinutes(5)),
        new UserCouponLimits(5, 7, 20, 50, Duration.ofMinutes(1), 5),
        new EventLimits(4),
        new RetentionLimits(2, Duration.ofMillis(1), Duration.ofMillis(1)));
  }

  public static ClaimLimits claims(Duration waitingTime, Duration callTime, int waitingPerCoupon) {
    return new ClaimLimits(
        waitingPerCoupon, waitingTime, callTime, Duration.ofMillis(50), CLAIMS_WORTH_A_CALL, 3, 2);
  }

  public static final int CLAIMS_WORTH_A_CALL = 4;

  public static ComparisonLimits comparison(Duration stuckAfter) {
    return new ComparisonLimits(7, 7, 10, stuckAfter, 100, 2, Duration.ofMillis(200));
  }
}
