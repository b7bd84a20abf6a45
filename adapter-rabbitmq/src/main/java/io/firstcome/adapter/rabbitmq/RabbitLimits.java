package io.firstcome.adapter.rabbitmq;

import java.time.Duration;

/**
 * The names and bounds of everything this module declares, sends, waits for and repeats.
 *
 * @param prefix begins the names of all exchanges and queues, so that deployments can share a
 *     broker
 * @param listens whether the listener starts with the application; else whoever starts it late does
 * @param recorders how many batches are recorded at a time. With one, rows fall behind claims for
 *     as long as the processors are busy with these
 * @param messageBytes of entries that share a message; one that has more has a message alone. With
 *     ids of 36 characters a claim takes about 70
 * @param batch messages recorded in one transaction: at most some thousand claims
 * @param batchWait how long a batch that is not full waits for its next message. It is the price of
 *     a single claim on an idle system
 * @param prefetch messages sent ahead to each recorder: one batch in work and one that waits
 * @param callTime within which the broker confirms a whole batch or answers a question, else it
 *     counts as away
 * @param eventTime within which the broker confirms a batch of events, else it counts as away. The
 *     database's transaction that holds these events waits for that long, so it is shorter than
 *     such a transaction may be idle
 * @param concurrentCalls calls of the broker under way at a time; a call that hangs keeps its
 *     place, so that a silent broker cannot collect threads
 * @param deliveryLimit deliveries of a claim message before the broker moves it to the dead
 *     letters. Far above what restarts need, as every crash of a recorder counts for all it held
 * @param maxMessages in the queue of claims; a full queue refuses, and the claims stay in the log
 * @param maxDeadLetters dead letters that may wait for the database, the newest ones: the log still
 *     has the claims of all of them
 * @param failurePause before messages whose recording failed go back to the queue, doubled with
 *     each delivery up to {@code maxFailurePause}
 * @param maxFailurePause with the delivery limit it says how soon a message becomes a dead letter:
 *     after about three minutes
 * @param reconnectPause between tries to reach the broker
 * @param repairPause before what seems to be missing is declared again, so that listeners notice
 *     first. When a quorum queue is declared again within milliseconds of its end, RabbitMQ 3.10
 *     keeps its consumers but sends them nothing
 * @param stopTime how long a stop waits for batches in work before it interrupts them
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
