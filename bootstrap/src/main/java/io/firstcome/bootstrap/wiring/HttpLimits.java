package io.firstcome.bootstrap.wiring;

import java.time.Duration;

/**
 * The limits of HTTP connections.
 *
 * @param requestTime within which a client must have sent the head of a request, from its first
 *     byte, and within which it must have sent the body
 * @param incompleteRequests requests that may be incomplete at a time; beyond it the connections of
 *     the oldest are closed. Each occupies about 50 KiB, and a client that sends its request at
 *     once is never among the oldest
 */
public record HttpLimits(Duration requestTime, int incompleteRequests) {

  /** The values for production. */
  public static HttpLimits defaults() {
    return new HttpLimits(Duration.ofSeconds(5), 1_000);
  }
}
