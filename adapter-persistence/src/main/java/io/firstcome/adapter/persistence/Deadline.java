package io.firstcome.adapter.persistence;

import io.firstcome.domain.port.ServerUnavailableException.Effect;
import io.firstcome.domain.port.StockUnavailableException;
import java.time.Duration;

/** The moment after which a call of the stock must have no effect any more. */
record Deadline(long nanos) {

  static Deadline in(Duration within) {
    return new Deadline(System.nanoTime() + within.toNanos());
  }

  /**
   * How long there still is.
   *
   * @throws StockUnavailableException if it is over
   */
  Duration left() {
    long left = nanos - System.nanoTime();
    if (left <= 0) {
      throw new StockUnavailableException(
          Effect.NONE, "the call came after its deadline, or its locks did", null);
    }
    return Duration.ofNanos(left);
  }
}
