package io.firstcome.bootstrap.wiring;

import org.springframework.core.env.Environment;

/**
 * The maximum number of HTTP connections that are open at a time: the property {@code
 * server.tomcat.max-connections}; without it, so many that all of them fit the heap.
 */
public record MaxConnections(int number) {

  private static final String PROPERTY = "server.tomcat.max-connections";

  /** A connection whose request is being handled takes up to half of it, with all buffers. */
  private static final long HEAP_BYTES_EACH = 262_144;

  private static final int FEWEST = 500;
  private static final int MOST = 20_000;

  /** Callers that wait leave most connections to the others. */
  private static final int WAITING_SHARE = 4;

  /** With those that wait for rows, a quarter is left for claims. */
  private static final int QUEUED_SHARE = 2;

  /**
   * The number for this process.
   *
   * @param heapBytes the maximum size of the heap
   */
  static MaxConnections of(Environment environment, long heapBytes) {
    int fitting = Math.clamp(heapBytes / HEAP_BYTES_EACH, FEWEST, MOST);
    return new MaxConnections(environment.getProperty(PROPERTY, Integer.class, fitting));
  }

  /** How many of them may be occupied by callers that wait for their rows. */
  int waiting() {
    return Math.max(1, number / WAITING_SHARE);
  }

  /** How many of them may be occupied by requests that wait until they can be handled. */
  public int queued() {
    return number / QUEUED_SHARE;
  }
}
