package io.firstcome.domain.port;

import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.handoff.EntryReference;
import io.firstcome.domain.handoff.HandoffEntry;
import io.firstcome.domain.handoff.LogDepth;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Accepted claims that are not recorded yet: the outbox of the stock backend. An entry is read by
 * one reader at a time, and stays until {@link #recorded} removes it. All methods skip an entry
 * that only another release can read; it stays for that release. Failures are {@link
 * StockUnavailableException}s.
 */
public interface HandoffLog {

  /**
   * Entries that were not read yet, of all partitions, oldest first within a partition.
   *
   * @param max entries of each partition
   * @param wait how long to wait for the first one
   * @return empty if none arrived, or if a partition has no log yet
   */
  List<HandoffEntry> readNew(int max, Duration wait);

  /**
   * Takes over entries that were read and not removed within {@code age}, doubled with each time
   * they were read, up to eightfold. An entry that was read while the backend's clock was ahead by
   * more than {@code age} is taken over at once.
   *
   * @param max entries of each partition
   */
  List<HandoffEntry> readStale(Duration age, int max);

  /**
   * Removes entries. An entry with another epoch than the reference's is a different entry and
   * stays.
   */
  void recorded(List<EntryReference> entries);

  /** The number of entries of a partition's log at which further claims are refused. */
  int cap();

  /** The depth of the partition's log. */
  LogDepth depth(Partition partition);

  /**
   * Entries of the partition, read or not, oldest first, without taking them over.
   *
   * @param after the id of the last entry of the previous page, or null
   */
  List<HandoffEntry> peek(Partition partition, @Nullable String after, int max);

  /** The log of a stock that records claims before it answers them: always empty. */
  static HandoffLog none() {
    return new HandoffLog() {
      @Override
      public List<HandoffEntry> readNew(int max, Duration wait) {
        return List.of();
      }

      @Override
      public List<HandoffEntry> readStale(Duration age, int max) {
        return List.of();
      }

      @Override
      public void recorded(List<EntryReference> entries) {}

      @Override
      public int cap() {
        return Integer.MAX_VALUE;
      }

      @Override
      public LogDepth depth(Partition partition) {
        return new LogDepth(0, null, Instant.EPOCH);
      }

      @Override
      public List<HandoffEntry> peek(Partition partition, @Nullable String after, int max) {
        return List.of();
      }
    };
  }
}
