package io.firstcome.benchmark.rig;

import java.time.Duration;

/**
 * The bounds of what the rig adds to Firstcome.
 *
 * @param partitions of the rig, as many as the service has by default
 * @param databaseConnections as many as the service has by default
 * @param handOffEntries log entries between relay and recorders; a relay that finds no room waits
 * @param handOffWait how long it waits before that counts as a broker that is away
 * @param recorders threads that write rows, as many as the service has listeners by default
 * @param recordedEntries log entries that are recorded in one transaction, as in the service
 * @param recorderWait how long a recorder waits for its first entry before it looks whether it is
 *     to end
 * @param lookEvery how often the fences are looked at
 * @param sweepEvery how often entries that have waited too long are looked for
 * @param pauseAfterFailure before a round that failed is tried again
 * @param openWithin how long the partitions may take to open
 * @param stopWithin how long the threads may take to end
 */
public record RigLimits(
    int partitions,
    int databaseConnections,
    int handOffEntries,
    Duration handOffWait,
    int recorders,
    int recordedEntries,
    Duration recorderWait,
    Duration lookEvery,
    Duration sweepEvery,
    Duration pauseAfterFailure,
    Duration openWithin,
    Duration stopWithin) {

  /** As near to the service as it can be. */
  public static RigLimits defaults() {
    return new RigLimits(
        4,
        16,
        128,
        Duration.ofSeconds(5),
        2,
        32,
        Duration.ofMillis(200),
        Duration.ofMillis(500),
        Duration.ofSeconds(1),
        Duration.ofMillis(500),
        Duration.ofSeconds(30),
        Duration.ofSeconds(10));
  }
}
