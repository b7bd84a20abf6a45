package io.firstcome.domain.port;

import java.time.Duration;

/** The server of a stock that is outside of the database. */
public interface StockServer {

  /**
   * What the server uses.
   *
   * @param limitBytes its own limit, or the memory of its machine if it has none
   * @param processorTime of the thread that executes commands, since its start
   */
  record Usage(long usedBytes, long limitBytes, Duration processorTime) {

    public long freeBytes() {
      return Math.max(0, limitBytes - usedBytes);
    }
  }

  /**
   * Reads it.
   *
   * @throws StockUnavailableException if the server is not reachable
   */
  Usage read();
}
