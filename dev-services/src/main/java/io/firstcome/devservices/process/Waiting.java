package io.firstcome.devservices.process;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Bounded waiting for the effect of another process, by polling. */
public final class Waiting {

  /** Short compared with the tenth of a second that the fastest server needs to start. */
  private static final Duration PAUSE = Duration.ofMillis(20);

  private Waiting() {}

  /** Polls until the condition is true or the limit has passed; returns the last result. */
  public static boolean until(Duration limit, BooleanSupplier condition) {
    long deadline = System.nanoTime() + limit.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - deadline > 0) {
        return false;
      }
      pause(PAUSE);
    }
    return true;
  }

  public static void pause(Duration length) {
    try {
      Thread.sleep(length);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waiting for a process", e);
    }
  }
}
