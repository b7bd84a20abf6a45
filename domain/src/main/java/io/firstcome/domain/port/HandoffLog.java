package io.firstcome.domain.port;

import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.issuance.EntryReference;
import io.firstcome.domain.issuance.HandoffEntry;
import io.firstcome.domain.issuance.LogDepth;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Accepted claims that the database does not have yet, kept by the stock backend until it has: the
 * outbox. An entry is read by one reader at a time, stays when it is read, and goes only by {@link
 * #recorded}. One that only another release can read is passed over by all methods and stays for
 * that release. Failures are {@link StockUnavailableException}s.
 */
public interface HandoffLog {

  /**
   * Entries that nobody has read, oldest first within a partition, over all partitions.
   *
   * @param max entries of each partition
   * @param wait how long to wait for the first one
   * @return empty where nothing came, or where a partition has no log yet
   */
  List<HandoffEntry> readNew(int max, Duration wait);

  /**
   * Takes over entries that were read and are still here after {@code age}, doubled with each time
   * they were read, up to eightfold. One that was read while the backend's clock was further ahead
   * than {@code age} is taken over at once.
   *
   * @param max entries of each partition
   */
  List<HandoffEntry> readStale(Duration age, int max);

  /** Removes entries. One whose epoch is not the reference's is another entry and stays. */
  void recorded(List<EntryReference> entries);

  /** How much waits in the partition. */
  LogDepth depth(Partition partition);

  /**
   * Entries of the partition, read or not, oldest first, without taking them.
   *
   * @param after the id of the last entry of the page before, or null
   */
  List<HandoffEntry> peek(Partition partition, @Nullable String after, int max);

  /** That of a stock whose claims are recorded when they are answered: always empty. */
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
