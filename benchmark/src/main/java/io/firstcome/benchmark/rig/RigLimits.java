package io.firstcome.benchmark.rig;

import java.time.Duration;

/**
 * The bounds of what the rig adds to Firstcome.
 *
 * @param partitions of the rig, as many as the service has by default
 * @param databaseConnections as many as the service has by default
 * @param lookEvery how often the fences are looked at
 * @param restsFor how long what has found nothing to do waits before it looks again
 * @param pauseAfterFailure before a round that failed is tried again
 * @param openWithin how long the partitions may take to open
 * @param stopWithin how long the threads may take to end
 */
public record RigLimits(
    int partitions,
    int databaseConnections,
    Duration lookEvery,
    Duration restsFor,
    Duration pauseAfterFailure,
    Duration openWithin,
    Duration stopWithin) {

  /** As near to the service as it can be. */
  public static RigLimits defaults() {
    return new RigLimits(
        4,
        16,
        Duration.ofMillis(500),
        Duration.ofMillis(250),
        Duration.ofMillis(500),
        Duration.ofSeconds(30),
        Duration.ofSeconds(10));
  }
}
