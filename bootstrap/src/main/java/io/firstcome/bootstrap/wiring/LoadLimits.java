package io.firstcome.bootstrap.wiring;

import java.time.Duration;

/**
 * The limits of requests that are handled at a time, which adapt between the least and the most so
 * that requests are handled in time.
 *
 * @param claimTime the time for a claim; without the wait for its row
 * @param requestTime the time for any other request
 * @param leastConcurrent requests of a kind that are handled at a time, however long they take
 * @param mostConcurrent requests of a kind that are handled at a time, however fast they are
 */
public record LoadLimits(
    Duration claimTime, Duration requestTime, int leastConcurrent, int mostConcurrent) {

  public LoadLimits {
    if (leastConcurrent > mostConcurrent) {
      throw new IllegalArgumentException(
          "least-concurrent (%d) must not be above most-concurrent (%d)"
              .formatted(leastConcurrent, mostConcurrent));
    }
  }

  /** The values for production. */
  public static LoadLimits defaults() {
    return new LoadLimits(Duration.ofMillis(50), Duration.ofMillis(250), 1_000, 5_000);
  }
}
