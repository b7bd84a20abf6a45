package io.firstcome.benchmark.rig;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Bounded waits for what cannot tell by itself. */
public final class Waiting {

  private static final Duration POLL = Duration.ofMillis(10);

  private Waiting() {}

  /**
   * Returns when the condition holds.
   *
   * @throws IllegalStateException with that message if it takes longer
   */
  public static void until(Duration within, BooleanSupplier condition, String otherwise)
      throws InterruptedException {
    long end = System.nanoTime() + within.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new IllegalStateException(otherwise + " within " + within);
      }
      Thread.sleep(POLL);
    }
  }
}
