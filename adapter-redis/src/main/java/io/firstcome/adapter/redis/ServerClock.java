package io.firstcome.adapter.redis;

import io.firstcome.domain.clock.ClockEstimate;
import io.firstcome.domain.port.ServerUnavailableException;
import io.firstcome.domain.port.ServerUnavailableException.Effect;
import io.firstcome.domain.port.StockUnavailableException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * An estimate of the clock of Redis, to set the span in which a call may take effect. Redis checks
 * the span by its own clock.
 *
 * <p>While readings of the clock contradict each other, no call is made: during a clock jump a
 * coupon would open early, or be closed for users who claim in time.
 */
final class ServerClock {

  private final InstantSource databaseClock;
  private final AtomicReference<ClockEstimate> estimate = new AtomicReference<>(ClockEstimate.NONE);

  /**
   * @param databaseClock a jump that this clock confirms is accepted immediately
   */
  ServerClock(InstantSource databaseClock) {
    this.databaseClock = databaseClock;
  }

  /**
   * When a call may take effect, in milliseconds of the server's clock.
   *
   * @param notBefore the time of the call, less the tolerance. If the server's clock is earlier, it
   *     was set back
   * @param notAfter the deadline
   */
  record Span(long notBefore, long notAfter) {}

  /** Adds a reading of the server's clock, from the reply to a call sent at {@code sentNanos}. */
  void read(long serverMillis, long sentNanos) {
    var reading =
        new ClockEstimate.Reading(Instant.ofEpochMilli(serverMillis), sentNanos, System.nanoTime());
    var now = databaseTime();
    // The database must confirm the first reading, and claims need the database anyway.
    estimate.updateAndGet(last -> now == null && !last.isKnown() ? last : last.after(reading, now));
  }

  private @Nullable Instant databaseTime() {
    try {
      return databaseClock.instant();
    } catch (ServerUnavailableException e) {
      return null;
    }
  }

  /**
   * The span of a call that is made now.
   *
   * @throws StockUnavailableException while the server's time is not certain
   */
  Span from(Duration within) {
    var current = estimate.get();
    if (!current.isCertain()) {
      throw new StockUnavailableException(
          Effect.NONE,
          current.isKnown()
              ? "the clock of Redis has jumped"
              : "the clock of Redis is not known yet",
          null);
    }
    var now = current.at(System.nanoTime());
    return new Span(
        now.minus(ClockEstimate.MAX_STEP).toEpochMilli(), now.plus(within).toEpochMilli());
  }
}
