package io.firstcome.bootstrap.rest.coupon;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import io.firstcome.application.coupon.ReadCoupon;
import io.firstcome.bootstrap.rest.request.CouponJson;
import io.firstcome.bootstrap.rest.request.PublicDocument;
import io.firstcome.domain.coupon.CouponId;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

/**
 * The public views of coupons, each read at most once a second. Callers of a coupon that is not
 * cached share one read, also if it fails: before a sale all customers look at the same coupon.
 *
 * <p>The age of a view is checked here. Caffeine's expiry of an asynchronous cache can keep a value
 * for ever if it is read at the moment of its completion (as of 3.2.4, with {@code
 * Expiry.creating}).
 */
@Component
class CouponSnapshots {

  /** How long a view is used after it was read. */
  static final Duration FRESH_FOR = PublicDocument.MAX_AGE;

  /** How long an id is known not to exist, and how late a definition by others may be seen. */
  static final Duration ABSENT_FOR = Duration.ofMillis(250);

  /** About 20 MB. */
  private static final int MOST_COUPONS = 10_000;

  private final Function<CouponId, Optional<ReadCoupon.View>> coupons;
  private final JsonMapper mapper;
  private final Ticker ticker;
  private final ConcurrentMap<CouponId, SharedRead> cached =
      Caffeine.newBuilder().maximumSize(MOST_COUPONS).<CouponId, SharedRead>build().asMap();

  /** What was read, and when the read began. */
  private record Read(Optional<CouponSnapshot> snapshot, long beganNanos) {

    boolean isOutdated(long nanos) {
      var fresh = snapshot.isPresent() ? FRESH_FOR : ABSENT_FOR;
      return nanos - beganNanos >= fresh.toNanos();
    }
  }

  /** A read that one of its callers carries out. */
  private static final class SharedRead extends CompletableFuture<Read> {

    private final AtomicBoolean begun = new AtomicBoolean();
  }

  @Autowired
  CouponSnapshots(ReadCoupon readCoupon, JsonMapper mapper) {
    this(readCoupon::read, mapper, Ticker.systemTicker());
  }

  CouponSnapshots(
      Function<CouponId, Optional<ReadCoupon.View>> coupons, JsonMapper mapper, Ticker ticker) {
    this.coupons = coupons;
    this.mapper = mapper;
    this.ticker = ticker;
  }

  /**
   * The coupon of that id.
   *
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if it is not cached and the
   *     database is not reachable
   */
  Optional<CouponSnapshot> find(CouponId id) {
    var present = cached.get(id);
    var read = present == null || isOutdated(present) ? read(id) : present;
    try {
      return read.join().snapshot();
    } catch (CompletionException e) {
      throw e.getCause() instanceof RuntimeException failure ? failure : e;
    }
  }

  private boolean isOutdated(SharedRead read) {
    return switch (read.state()) {
      case RUNNING -> false;
      case SUCCESS -> read.resultNow().isOutdated(ticker.read());
      case FAILED, CANCELLED -> true;
    };
  }

  /** Reads in this thread, with its share of the connections, or takes part in another read. */
  private SharedRead read(CouponId id) {
    var shared =
        cached.merge(
            id, new SharedRead(), (present, added) -> isOutdated(present) ? added : present);
    if (shared.begun.compareAndSet(false, true)) {
      long began = ticker.read();
      try {
        shared.complete(new Read(coupons.apply(id).map(this::snapshot), began));
      } catch (Throwable e) {
        shared.completeExceptionally(e);
      }
    }
    return shared;
  }

  private CouponSnapshot snapshot(ReadCoupon.View view) {
    return CouponSnapshot.of(CouponJson.view(view), mapper);
  }
}
