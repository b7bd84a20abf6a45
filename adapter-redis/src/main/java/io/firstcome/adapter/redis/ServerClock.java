package io.firstcome.adapter.redis;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Estimates the server's clock, for deadlines that the server judges.
 *
 * <p>A reading is taken as if the server had been asked the moment its answer came, so the estimate
 * is behind by up to one round trip and deadlines come out early rather than late. The instance's
 * own wall clock plays no part.
 */
final class ServerClock {

  /** A reading after a slower round trip is taken only when there is none that is fresh. */
  private static final Duration GOOD_ROUND_TRIP = Duration.ofMillis(20);

  private static final Duration FRESH = Duration.ofSeconds(5);

  private final AtomicReference<Reading> reading = new AtomicReference<>(Reading.NONE);

  private record Reading(long serverMillis, long atNanos, boolean isThere) {

    static final Reading NONE = new Reading(0, 0, false);

    boolean isFresh(long nowNanos) {
      return isThere && nowNanos - atNanos < FRESH.toNanos();
    }
  }

  /** Takes note of what the server's clock said in a reply to a call sent at {@code sentNanos}. */
  void read(long serverMillis, long sentNanos) {
    long now = System.nanoTime();
    boolean good = now - sentNanos < GOOD_ROUND_TRIP.toNanos();
    reading.updateAndGet(
        last -> good || !last.isFresh(now) ? new Reading(serverMillis, now, true) : last);
  }

  boolean isKnown() {
    return reading.get().isThere();
  }

  /** The server's time {@code within} from now, in its milliseconds. */
  long deadlineMillis(Duration within) {
    var last = reading.get();
    if (!last.isThere()) {
      throw new IllegalStateException("the server's clock was never read");
    }
    var since = Duration.ofNanos(System.nanoTime() - last.atNanos());
    return last.serverMillis() + since.plus(within).toMillis();
  }
}
