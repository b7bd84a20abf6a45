package io.firstcome.adapter.redis;

import io.firstcome.domain.coupon.CouponId;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/** The filters that this instance has, up to a total size. Thread-safe. */
final class LedgerFilters {

  /** A filter that was used since then is not evicted for another coupon's. */
  private static final Duration IN_USE = Duration.ofSeconds(5);

  private final long maxBytes;
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<CouponId, Entry> entries = new HashMap<>();
  private long bytes;

  LedgerFilters(long maxBytes) {
    this.maxBytes = maxBytes;
  }

  private record Entry(LedgerFilter filter, long bytes, long usedNanos) {

    boolean isInUse(long nowNanos) {
      return nowNanos - usedNanos < IN_USE.toNanos();
    }
  }

  /** The most users of a ledger that may have a filter: half of the total size. */
  long maxUsers() {
    return LedgerFilter.maxUsers(maxBytes / 2);
  }

  Optional<LedgerFilter> use(CouponId couponId) {
    lock.lock();
    try {
      return Optional.ofNullable(
              entries.computeIfPresent(
                  couponId, (id, entry) -> new Entry(entry.filter, entry.bytes, System.nanoTime())))
          .map(Entry::filter);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Keeps the filter in place of the coupon's former one, unless the others in use leave no room.
   */
  boolean keep(CouponId couponId, LedgerFilter filter, long size) {
    lock.lock();
    try {
      boolean hasRoom = makeRoom(couponId, size);
      if (hasRoom) {
        entries.put(couponId, new Entry(filter, size, System.nanoTime()));
        bytes += size;
      }
      return hasRoom;
    } finally {
      lock.unlock();
    }
  }

  /** Whether a filter of that size can be kept in place of the coupon's former one. */
  boolean hasRoom(CouponId couponId, long size) {
    lock.lock();
    try {
      return makeRoom(couponId, size);
    } finally {
      lock.unlock();
    }
  }

  private boolean makeRoom(CouponId couponId, long size) {
    long now = System.nanoTime();
    remove(couponId);
    if (bytes + size > maxBytes) {
      entries.entrySet().stream()
          .filter(entry -> !entry.getValue().isInUse(now))
          .map(Map.Entry::getKey)
          .toList()
          .forEach(this::remove);
    }
    return bytes + size <= maxBytes;
  }

  private void remove(CouponId couponId) {
    var removed = entries.remove(couponId);
    if (removed != null) {
      bytes -= removed.bytes;
    }
  }
}
