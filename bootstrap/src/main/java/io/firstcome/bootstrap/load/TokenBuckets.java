package io.firstcome.bootstrap.load;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import io.github.bucket4j.Bandwidth;
import io.github.bucket4j.Bucket;
import java.time.Duration;

/**
 * Counts the requests of many callers, each by a token bucket. The buckets are those of this
 * instance, and only of a bounded number of callers: one that is forgotten starts with a full
 * bucket.
 */
final class TokenBuckets {

  private final String name;
  private final int limit;
  private final Duration window;
  private final Bandwidth bandwidth;
  private final LoadingCache<String, Bucket> buckets;

  /**
   * @param name of the quotas
   * @param limit of requests of a caller in the window
   * @param most callers that are counted at a time
   */
  TokenBuckets(String name, int limit, Duration window, int most) {
    this.name = name;
    this.limit = limit;
    this.window = window;
    bandwidth = Bandwidth.builder().capacity(limit).refillGreedy(limit, window).build();
    buckets = Caffeine.newBuilder().maximumSize(most).build(_ -> newBucket());
  }

  private Bucket newBucket() {
    return Bucket.builder()
        .addLimit(bandwidth)
        // System.nanoTime: the wall clock of an instance may be set.
        .withNanosecondPrecision()
        .build();
  }

  /** Counts a request of the caller. */
  Quota count(String caller) {
    return Quota.of(name, limit, window, buckets.get(caller).tryConsumeAndReturnRemaining(1));
  }
}
