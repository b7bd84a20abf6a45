package io.firstcome.bootstrap.wiring;

import java.time.Duration;

/**
 * The limits of requests that are handled at a time, which adapt between the least and the most so
 * that requests are handled in time.
 *
 * @param claimTime the time for a claim; without the wait for its row
 * @param requestTime the time for any other request
 * @param leastClaims claims that are handled at a time, however long they take
 * @param leastRequests requests of any other kind that are handled at a time, however long they
 *     take
 * @param mostConcurrent requests of a kind that are handled at a time, however fast they are
 * @param waitingTime how long a request other than a claim waits until it can be handled
 */
public record LoadLimits(
    Duration claimTime,
    Duration requestTime,
    int leastClaims,
    int leastRequests,
    int mostConcurrent,
    Duration waitingTime) {

  public LoadLimits {
    if (Math.max(leastClaims, leastRequests) > mostConcurrent) {
      throw new IllegalArgumentException(
          "least-claims (%d) and least-requests (%d) must not be above most-concurrent (%d)"
              .formatted(leastClaims, leastRequests, mostConcurrent));
    }
  }

  /** The values for production. */
  public static LoadLimits defaults() {
    return new LoadLimits(
        Duration.ofMillis(50), Duration.ofMillis(250), 1_000, 32, 5_000, Duration.ofSeconds(10));
  }
}
