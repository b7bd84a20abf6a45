package io.firstcome.systemtests.kit;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Waits for conditions that other processes fulfil; each wait is also bounded by {@link Patience}.
 */
public final class Await {

  private static final long POLL_NANOS = 20_000_000;

  private Await() {}

  /**
   * Returns when the condition holds.
   *
   * @throws AssertionError with the description, if the condition does not hold within the limit
   */
  public static void until(Duration limit, String what, BooleanSupplier condition) {
    until(limit, () -> what, condition);
  }

  /** The same, with a description that is built only on failure. */
  public static void until(Duration limit, Supplier<String> what, BooleanSupplier condition) {
    Duration patience = Patience.within(limit);
    if (!holdsWithin(patience, condition)) {
      throw new AssertionError("not within %s: %s".formatted(patience, what.get()));
    }
  }

  /** Waits for the condition at most for the limit, and returns whether it holds. */
  public static boolean holdsWithin(Duration limit, BooleanSupplier condition) {
    long end = System.nanoTime() + limit.toNanos();
    boolean holds = condition.getAsBoolean();
    while (!holds && System.nanoTime() - end <= 0) {
      pause(Duration.ofNanos(POLL_NANOS));
      holds = condition.getAsBoolean();
    }
    return holds;
  }

  /** Pauses this thread, between two tries or while a fault lasts. */
  public static void pause(Duration length) {
    LockSupport.parkNanos(length.toNanos());
  }
}
