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

  /**
   * The shares of connections that only wait, in eighths: a quarter of all is left for claims and
   * whatever else is being handled.
   */
  private static final int EIGHTHS = 8;

  private static final int OF_ROWS = 1;
  private static final int OF_STREAMS = 2;
  private static final int OF_QUEUED = 3;

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
    return share(OF_ROWS);
  }

  /** How many of them may be occupied by users who are sent their standing in a waiting room. */
  public int streams() {
    return share(OF_STREAMS);
  }

  /** How many of them may be occupied by requests that wait until they can be handled. */
  public int queued() {
    return share(OF_QUEUED);
  }

  private int share(int eighths) {
    return Math.max(1, number * eighths / EIGHTHS);
  }
}
