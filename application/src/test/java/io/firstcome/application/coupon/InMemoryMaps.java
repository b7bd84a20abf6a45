package io.firstcome.application.coupon;

import io.firstcome.domain.port.CouponRepository;
import java.time.InstantSource;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** Maps for the caches of tests, which have few entries. */
public final class InMemoryMaps {

  private InMemoryMaps() {}

  /** A map that holds every entry. */
  public static <K, V> ConcurrentMap<K, V> unbounded(int maxEntries) {
    return new ConcurrentHashMap<>();
  }

  /**
   * A map that hides futures that are not done, so that no caller waits for another one: in the
   * simulation a thread that waits would never let the other one run.
   */
  public static <K, V> ConcurrentMap<K, V> ofDoneFutures(int maxEntries) {
    return new OfDoneFutures<>();
  }

  private static final class OfDoneFutures<K, V> extends ConcurrentHashMap<K, V> {

    private static final long serialVersionUID = 1L;

    @Override
    public @Nullable V get(Object key) {
      var value = super.get(key);
      return value instanceof Future<?> future && !future.isDone() ? null : value;
    }

    @Override
    public @Nullable V putIfAbsent(K key, V value) {
      var present = get(key);
      return present == null ? replaceWith(key, value) : present;
    }

    private @Nullable V replaceWith(K key, V value) {
      put(key, value);
      return null;
    }
  }

  /** A catalog that reads in the calling thread. */
  public static CouponCatalog catalog(CouponRepository coupons, InstantSource clock) {
    return new CouponCatalog(coupons, InMemoryMaps::unbounded, Runnable::run, clock);
  }
}
