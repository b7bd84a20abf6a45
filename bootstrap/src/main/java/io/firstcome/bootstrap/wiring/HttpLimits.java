package io.firstcome.bootstrap.wiring;

import java.time.Duration;

/**
 * The limits of HTTP connections.
 *
 * @param requestTime within which a client must have sent the head of a request, from its first
 *     byte, within which it must have sent the body, and within which it must receive so much of an
 *     answer that the rest can be sent
 * @param incompleteRequests requests that may be incomplete at a time; beyond it the connections of
 *     the oldest are closed, and a client that sends its request at once is never among them. When
 *     twice as many bodies are being read, further requests with a body are refused. A request
 *     whose body is being read takes about 130 KiB
 * @param standingStreams users who are sent their standing in a waiting room at a time, at most a
 *     quarter of all connections; others have to poll
 */
public record HttpLimits(Duration requestTime, int incompleteRequests, int standingStreams) {

  /** The values for production. */
  public static HttpLimits defaults() {
    return new HttpLimits(Duration.ofSeconds(5), 500, 5_000);
  }
}
