package io.firstcome.systemtests.kit;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waiting for what other processes do in their own time, bounded by {@link Patience} too. */
public final class Await {

  private static final long POLL_NANOS = 20_000_000;

  private Await() {}

  /**
   * Returns when the condition holds.
   *
   * @throws AssertionError with what was waited for, if it does not within the limit
   */
  public static void until(Duration limit, String what, BooleanSupplier condition) {
    until(limit, () -> what, condition);
  }

  /** The same, with a description that is made when it is needed. */
  public static void until(Duration limit, Supplier<String> what, BooleanSupplier condition) {
    Duration patience = Patience.within(limit);
    if (!holdsWithin(patience, condition)) {
      throw new AssertionError("not within %s: %s".formatted(patience, what.get()));
    }
  }

  /** Waits for the condition no longer than the limit, and tells whether it holds. */
  public static boolean holdsWithin(Duration limit, BooleanSupplier condition) {
    long end = System.nanoTime() + limit.toNanos();
    boolean holds = condition.getAsBoolean();
    while (!holds && System.nanoTime() - end <= 0) {
      pause(Duration.ofNanos(POLL_NANOS));
      holds = condition.getAsBoolean();
    }
    return holds;
  }

  /** A pause between two tries of the same, or for as long as something is to last. */
  public static void pause(Duration length) {
    LockSupport.parkNanos(length.toNanos());
  }
}
