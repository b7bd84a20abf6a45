package io.firstcome.domain.port;

import java.util.concurrent.ConcurrentMap;

/** Creates the maps in which an instance caches data. */
@FunctionalInterface
public interface BoundedMaps {

  /**
   * A new empty map, which may evict entries that are rarely used.
   *
   * @param maxEntries how many it holds; it may exceed that for a moment
   */
  <K, V> ConcurrentMap<K, V> create(int maxEntries);
}
