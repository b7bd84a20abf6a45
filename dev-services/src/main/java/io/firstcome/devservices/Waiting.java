package io.firstcome.devservices;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Bounded waiting for something another process does, which nobody tells us of. */
final class Waiting {

  /** Short beside the tenth of a second that the fastest server needs to start. */
  private static final Duration PAUSE = Duration.ofMillis(20);

  private Waiting() {}

  /** Asks again and again until the answer is true or the limit is over; the last answer. */
  static boolean until(Duration limit, BooleanSupplier condition) {
    long deadline = System.nanoTime() + limit.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - deadline > 0) {
        return false;
      }
      pause(PAUSE);
    }
    return true;
  }

  static void pause(Duration length) {
    try {
      Thread.sleep(length);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waiting for a process", e);
    }
  }
}
