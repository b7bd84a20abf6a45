package io.firstcome.adapter.persistence.stock;

import io.firstcome.domain.port.ServerUnavailableException.Effect;
import io.firstcome.domain.port.StockUnavailableException;
import java.time.Duration;

/** The time after which a call of the stock must have no effect. */
record Deadline(long nanos) {

  static Deadline in(Duration within) {
    return new Deadline(System.nanoTime() + within.toNanos());
  }

  /**
   * The remaining time.
   *
   * @throws StockUnavailableException if the deadline has passed
   */
  Duration left() {
    long left = nanos - System.nanoTime();
    if (left <= 0) {
      throw new StockUnavailableException(
          Effect.NONE, "the deadline of the call passed before its transaction could commit", null);
    }
    return Duration.ofNanos(left);
  }
}
