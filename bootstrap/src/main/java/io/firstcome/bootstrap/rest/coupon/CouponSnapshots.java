package io.firstcome.bootstrap.rest.coupon;

import com.github.benmanes.caffeine.cache.AsyncCache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;
import com.github.benmanes.caffeine.cache.Ticker;
import io.firstcome.application.coupon.ReadCoupon;
import io.firstcome.bootstrap.rest.request.CouponJson;
import io.firstcome.domain.coupon.CouponId;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

/**
 * The public views of coupons, each read at most once a second. Callers of a coupon that is not
 * cached share one read, also if it fails: before a sale all customers look at the same coupon.
 */
@Component
class CouponSnapshots {

  /** How long a view is used after it was read. */
  static final Duration FRESH_FOR = Duration.ofSeconds(1);

  /** How long an id is known not to exist, and how late a definition by others may be seen. */
  static final Duration ABSENT_FOR = Duration.ofMillis(250);

  /** About 20 MB. */
  private static final int MOST_COUPONS = 10_000;

  private final Function<CouponId, Optional<ReadCoupon.View>> coupons;
  private final JsonMapper mapper;
  private final AsyncCache<CouponId, Optional<CouponSnapshot>> cached;

  @Autowired
  CouponSnapshots(ReadCoupon readCoupon, JsonMapper mapper) {
    this(readCoupon::read, mapper, Ticker.systemTicker());
  }

  CouponSnapshots(
      Function<CouponId, Optional<ReadCoupon.View>> coupons, JsonMapper mapper, Ticker ticker) {
    this.coupons = coupons;
    this.mapper = mapper;
    this.cached =
        Caffeine.newBuilder()
            .maximumSize(MOST_COUPONS)
            .ticker(ticker)
            .expireAfter(
                Expiry.creating((CouponId _, Optional<CouponSnapshot> read) ->
                    read.isPresent() ? FRESH_FOR : ABSENT_FOR))
            .buildAsync();
  }

  /**
   * The coupon of that id.
   *
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if it is not cached and the
   *     database is not reachable
   */
  Optional<CouponSnapshot> find(CouponId id) {
    var present = cached.getIfPresent(id);
    try {
      return (present == null ? read(id) : present).join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof RuntimeException failure ? failure : e;
    }
  }

  /** Reads in this thread, with its share of the connections, or takes part in another read. */
  private CompletableFuture<Optional<CouponSnapshot>> read(CouponId id) {
    var own = new CompletableFuture<Optional<CouponSnapshot>>();
    var first = cached.asMap().putIfAbsent(id, own);
    if (first != null) {
      return first;
    }
    try {
      own.complete(coupons.apply(id).map(this::snapshot));
    } catch (Throwable e) {
      own.completeExceptionally(e);
    }
    return own;
  }

  private CouponSnapshot snapshot(ReadCoupon.View view) {
    return CouponSnapshot.of(CouponJson.view(view.coupon(), view.remaining().orElse(null)), mapper);
  }
}
