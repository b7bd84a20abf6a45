package io.firstcome.bootstrap.load;

import io.github.bucket4j.ConsumptionProbe;
import java.time.Duration;

/**
 * What is left of a caller's quota after a request.
 *
 * @param name of the quota
 * @param limit of requests in the window
 * @param window within which an empty quota is full again
 * @param isExceeded whether the request was one too many
 * @param remaining requests that may be sent at once
 * @param fullIn the time until the quota is full, if no request follows
 * @param retryIn the time until another request may be sent, if it is exceeded
 */
record Quota(
    String name,
    int limit,
    Duration window,
    boolean isExceeded,
    long remaining,
    Duration fullIn,
    Duration retryIn) {

  static Quota of(String name, int limit, Duration window, ConsumptionProbe probe) {
    return new Quota(
        name,
        limit,
        window,
        !probe.isConsumed(),
        probe.getRemainingTokens(),
        Duration.ofNanos(probe.getNanosToWaitForReset()),
        Duration.ofNanos(probe.getNanosToWaitForRefill()));
  }

  /** Whether the caller should be informed: less than half of the quota is left. */
  boolean isScarce() {
    return remaining < limit / 2;
  }

  /**
   * The header {@code RateLimit-Policy}.
   *
   * @see <a href="https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/">RateLimit
   *     header fields for HTTP</a>, version 10
   */
  String policyHeader() {
    return "\"%s\";q=%d;w=%d".formatted(name, limit, window.toSeconds());
  }

  /** The header {@code RateLimit}. */
  String header() {
    return "\"%s\";r=%d;t=%d".formatted(name, remaining, fullIn.plusMillis(999).toSeconds());
  }
}
