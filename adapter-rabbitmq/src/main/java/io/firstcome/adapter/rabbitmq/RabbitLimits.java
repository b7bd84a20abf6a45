package io.firstcome.adapter.rabbitmq;

import java.time.Duration;

/**
 * Names, timeouts, pauses and sizes of the RabbitMQ adapters.
 *
 * @param prefix of the names of all exchanges and queues, so that deployments can share a broker
 * @param listens whether the listener starts with the application; otherwise it is started
 *     separately
 * @param recorders number of batches recorded concurrently. With one, rows fall behind claims while
 *     the processors are busy with claims
 * @param messageBytes maximum size of entries that share a message; a larger entry has a message of
 *     its own. With ids of 36 characters a claim takes about 70 bytes
 * @param batch messages recorded in one transaction: at most a few thousand claims
 * @param batchWait how long a batch that is not full waits for its next message. A single claim on
 *     an idle system is delayed by it
 * @param prefetch messages that each recorder prefetches: one batch in progress and one that waits
 * @param callTime timeout for the broker to confirm a whole batch or to reply to a query, after
 *     which it counts as unreachable
 * @param eventTime timeout for the broker to confirm a batch of events, after which it counts as
 *     unreachable. The database transaction that holds these events waits for that long, so it is
 *     shorter than the transaction's idle timeout
 * @param concurrentCalls maximum number of calls to the broker in flight; a call that hangs keeps
 *     its permit, so that threads do not accumulate while the broker is silent
 * @param deliveryLimit deliveries of a claim message before the broker moves it to the dead
 *     letters. Far above what restarts need, because every crash of a recorder counts for all
 *     messages that it held
 * @param maxMessages maximum length of the queue of claims; a full queue rejects messages, and
 *     their claims stay in the hand-off log
 * @param maxDeadLetters maximum number of dead letters that wait for the database; beyond it the
 *     oldest are dropped. The hand-off log still has the claims of all of them
 * @param failurePause pause before messages whose recording failed go back to the queue, doubled
 *     with each delivery up to {@code maxFailurePause}
 * @param maxFailurePause maximum of that pause. With the delivery limit it determines when a
 *     message becomes a dead letter: after about three minutes
 * @param reconnectPause pause between attempts to connect to the broker
 * @param repairPause pause before a queue or exchange that seems to be missing is declared again,
 *     so that listeners notice first. When a quorum queue is declared again within milliseconds of
 *     its deletion, RabbitMQ 3.10 keeps its consumers but sends them no messages
 * @param stopTime how long a stop waits for batches in progress before it interrupts them
 */
public record RabbitLimits(
    String prefix,
    boolean listens,
    int recorders,
    int messageBytes,
    int batch,
    Duration batchWait,
    int prefetch,
    Duration callTime,
    Duration eventTime,
    int concurrentCalls,
    int deliveryLimit,
    int maxMessages,
    int maxDeadLetters,
    Duration failurePause,
    Duration maxFailurePause,
    Duration reconnectPause,
    Duration repairPause,
    Duration stopTime) {

  public RabbitLimits {
    if (prefix.isBlank()) {
      throw new IllegalArgumentException("prefix must not be blank: '" + prefix + "'");
    }
    requirePositive("recorders", recorders);
    requirePositive("messageBytes", messageBytes);
    requirePositive("batch", batch);
    requirePositive("concurrentCalls", concurrentCalls);
    requirePositive("deliveryLimit", deliveryLimit);
    requirePositive("maxMessages", maxMessages);
    requirePositive("maxDeadLetters", maxDeadLetters);
    requirePositive("batchWait", batchWait.toMillis());
    requirePositive("callTime", callTime.toMillis());
    requirePositive("eventTime", eventTime.toMillis());
    requirePositive("failurePause", failurePause.toMillis());
    requirePositive("reconnectPause", reconnectPause.toMillis());
    requirePositive("repairPause", repairPause.toMillis());
    requirePositive("stopTime", stopTime.toMillis());
    if (prefetch < batch) {
      throw new IllegalArgumentException("prefetch must be at least a batch: " + prefetch);
    }
    if (maxFailurePause.compareTo(failurePause) < 0) {
      throw new IllegalArgumentException(
          "maxFailurePause must be at least failurePause: " + maxFailurePause);
    }
  }

  /** The values for production. */
  public static RabbitLimits defaults() {
    return new RabbitLimits(
        "firstcome",
        true,
        2,
        65_536,
        8,
        Duration.ofMillis(5),
        16,
        Duration.ofSeconds(5),
        Duration.ofSeconds(3),
        16,
        20,
        1_000_000,
        10_000,
        Duration.ofSeconds(1),
        Duration.ofSeconds(10),
        Duration.ofSeconds(1),
        Duration.ofSeconds(1),
        Duration.ofSeconds(10));
  }

  private static void requirePositive(String name, long value) {
    if (value < 1) {
      throw new IllegalArgumentException(name + " must be positive: " + value);
    }
  }
}
