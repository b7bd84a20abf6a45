package io.firstcome.adapter.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** Waits, with a timeout, for an asynchronous effect of another process. */
final class Eventually {

  private static final long POLL_NANOS = 10_000_000;

  private Eventually() {}

  static <T> void eventually(T expected, Supplier<T> actual) {
    long end = System.nanoTime() + RabbitRig.PATIENCE.toNanos();
    T seen = actual.get();
    while (!expected.equals(seen) && System.nanoTime() - end < 0) {
      LockSupport.parkNanos(POLL_NANOS);
      seen = actual.get();
    }
    assertThat(seen).isEqualTo(expected);
  }
}
