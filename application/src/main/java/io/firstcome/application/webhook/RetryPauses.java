package io.firstcome.application.webhook;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** How long a lane rests after a failed attempt. */
final class RetryPauses {

  private static final int FACTOR = 4;
  private static final int SPREAD_PERCENT = 25;

  /** An odd number, in whose multiples the upper bits are spread evenly. */
  private static final long MIX = 0x9E3779B97F4A7C15L;

  private RetryPauses() {}

  /**
   * The pause: longer after each attempt, and up to a quarter longer than that by the delivery, so
   * that many that have failed at once are not all made again at once.
   *
   * @param failed attempts of the delivery that have failed, from 1
   * @param wanted by the receiver, or null
   */
  static Duration after(
      int failed, long deliveryNumber, @Nullable Duration wanted, WebhookLimits limits) {
    var pause = limits.firstPause();
    for (int i = 1; i < failed && pause.compareTo(limits.longestPause()) < 0; i++) {
      pause = pause.multipliedBy(FACTOR);
    }
    if (wanted != null && wanted.compareTo(pause) > 0) {
      pause = wanted;
    }
    if (pause.compareTo(limits.longestPause()) > 0) {
      pause = limits.longestPause();
    }
    long mixed = (deliveryNumber + failed) * MIX;
    long percent = (mixed >>> Integer.SIZE) % SPREAD_PERCENT;
    return pause.plus(pause.multipliedBy(percent).dividedBy(100));
  }
}
