package io.firstcome.adapter.rabbitmq;

import java.time.Duration;

/** Limits for fast tests, each with a separate prefix of the queues. */
final class TestLimits {

  static final int BATCH = 10;
  static final int DELIVERY_LIMIT = 2;

  private TestLimits() {}

  static RabbitLimits notListening() {
    return limits(false, Duration.ofSeconds(5));
  }

  static RabbitLimits listening() {
    return limits(true, Duration.ofSeconds(5));
  }

  static RabbitLimits impatient() {
    return limits(false, Duration.ofMillis(500));
  }

  /** Entries that are published together share a message, as in production. */
  static RabbitLimits sharing() {
    return limits(false, Duration.ofSeconds(5), RabbitLimits.defaults().messageBytes());
  }

  /** Each entry is a message of its own. */
  private static RabbitLimits limits(boolean listens, Duration callTime) {
    return limits(listens, callTime, 1);
  }

  private static RabbitLimits limits(boolean listens, Duration callTime, int messageBytes) {
    return new RabbitLimits(
        RabbitRig.newPrefix(),
        listens,
        1,
        messageBytes,
        BATCH,
        Duration.ofMillis(5),
        2 * BATCH,
        callTime,
        callTime,
        2,
        DELIVERY_LIMIT,
        10_000,
        100,
        // The failure pauses are together longer than the repair pause.
        Duration.ofMillis(150),
        Duration.ofMillis(300),
        Duration.ofMillis(100),
        Duration.ofMillis(200),
        Duration.ofMillis(500));
  }
}
