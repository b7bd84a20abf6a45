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
 * The server's clock as this instance estimates it, to say when a call may take effect. The server
 * judges that by its own clock.
 *
 * <p>While the server's clock contradicts itself no call is made: in the time of a jump a coupon
 * would open early, or be closed for users who come in time.
 */
final class ServerClock {

  private final InstantSource witness;
  private final AtomicReference<ClockEstimate> estimate = new AtomicReference<>(ClockEstimate.NONE);

  /**
   * @param witness the database's clock. A jump that it confirms is believed at once
   */
  ServerClock(InstantSource witness) {
    this.witness = witness;
  }

  /**
   * When a call may take effect, in milliseconds of the server's clock.
   *
   * @param notBefore the time of the call. A server whose clock says less has set it back
   * @param notAfter the deadline
   */
  record Span(long notBefore, long notAfter) {}

  /** Takes note of what the server's clock said in a reply to a call sent at {@code sentNanos}. */
  void read(long serverMillis, long sentNanos) {
    var reading =
        new ClockEstimate.Reading(Instant.ofEpochMilli(serverMillis), sentNanos, System.nanoTime());
    var now = witnessed();
    // A first reading without a witness could be one of a jump. Claims need the database anyway.
    estimate.updateAndGet(last -> now == null && !last.isKnown() ? last : last.after(reading, now));
  }

  private @Nullable Instant witnessed() {
    try {
      return witness.instant();
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
              ? "the server's clock has jumped"
              : "the server's clock is not known yet",
          null);
    }
    var now = current.at(System.nanoTime());
    return new Span(
        now.minus(ClockEstimate.MAX_STEP).toEpochMilli(), now.plus(within).toEpochMilli());
  }
}
