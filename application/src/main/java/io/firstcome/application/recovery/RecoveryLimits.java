package io.firstcome.application.recovery;

import java.time.Duration;

/**
 * The limits of a recovery.
 *
 * @param parallelRecoveries partitions that one instance rebuilds at a time; each holds two
 *     database connections
 * @param drainTime how long a recovery lets recorders empty the queue first
 * @param retryPause between two attempts to get the recovery lease
 * @param rebuildPage rows or users read at a time while a stock is rebuilt and claims wait for it:
 *     a round trip each, of some milliseconds. A Redis script takes twice as many values at most
 * @param logPage log entries that are read together
 */
public record RecoveryLimits(
    int parallelRecoveries, Duration drainTime, Duration retryPause, int rebuildPage, int logPage) {

  /** The values for production. */
  public static RecoveryLimits defaults() {
    return new RecoveryLimits(2, Duration.ofSeconds(2), Duration.ofMillis(500), 3_000, 64);
  }
}
