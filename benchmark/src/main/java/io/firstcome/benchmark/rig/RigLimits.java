package io.firstcome.benchmark.rig;

import java.time.Duration;

/**
 * The limits of what the rig adds to Firstcome.
 *
 * @param partitions number of partitions, the default of the service
 * @param databaseConnections size of the connection pool, the default of the service
 * @param checkEvery interval between checks of the fences
 * @param restsFor pause of a loop that found no work
 * @param pauseAfterFailure pause before a failed round is retried
 * @param openWithin timeout for the partitions to open
 * @param stopWithin timeout for the threads to end
 */
public record RigLimits(
    int partitions,
    int databaseConnections,
    Duration checkEvery,
    Duration restsFor,
    Duration pauseAfterFailure,
    Duration openWithin,
    Duration stopWithin) {

  /** The values of the service where it has them. */
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
