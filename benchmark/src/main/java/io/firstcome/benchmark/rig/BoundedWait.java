package io.firstcome.benchmark.rig;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Waits for conditions by polling, with a timeout. */
public final class BoundedWait {

  private static final Duration POLL = Duration.ofMillis(10);

  private BoundedWait() {}

  /**
   * Returns when the condition holds.
   *
   * @throws IllegalStateException with this message if the condition does not hold in time
   */
  public static void until(Duration within, BooleanSupplier condition, String message)
      throws InterruptedException {
    long end = System.nanoTime() + within.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new IllegalStateException(message + " within " + within);
      }
      Thread.sleep(POLL);
    }
  }
}
