package io.firstcome.domain.port;

/** The memory of a stock that keeps its content in memory. */
public interface StockMemory {

  /**
   * How much memory the server of the stock uses.
   *
   * @param limitBytes its own limit, or the memory of its machine if it has none
   */
  record Usage(long usedBytes, long limitBytes) {

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
