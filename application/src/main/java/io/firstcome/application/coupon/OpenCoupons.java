package io.firstcome.application.coupon;

import io.firstcome.application.paging.Pages;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.port.CouponRepository;
import io.firstcome.domain.port.DatabaseUnavailableException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * All coupons that can be claimed, read together and at most once in some seconds: any number of
 * customers look for the best of them. Thread-safe.
 */
public final class OpenCoupons {

  /** How old the list may be before it is read again. */
  static final Duration FRESH_FOR = Duration.ofSeconds(5);

  private static final int COUPONS_A_PAGE = 1_000;

  private final CouponRepository coupons;
  private final InstantSource clock;

  /** The read that is under way. */
  private final AtomicReference<@Nullable CompletableFuture<Read>> reading =
      new AtomicReference<>();

  private volatile @Nullable Read last;

  private record Read(List<Coupon> coupons, Instant at) {

    boolean isFresh(Instant now) {
      return !now.isBefore(at) && now.isBefore(at.plus(FRESH_FOR));
    }
  }

  public OpenCoupons(CouponRepository coupons, InstantSource clock) {
    this.coupons = coupons;
    this.clock = clock;
  }

  /**
   * The coupons that were open some seconds ago at most. While one caller reads them again, and
   * while the database is not reachable, others get those that were read before. If none were read
   * yet, others wait for the same read, also if it fails.
   *
   * @throws DatabaseUnavailableException if none were read yet and the database is not reachable
   */
  public List<Coupon> list() {
    var before = last;
    if (before != null && before.isFresh(clock.instant())) {
      return before.coupons;
    }
    var own = new CompletableFuture<Read>();
    var other = reading.compareAndExchange(null, own);
    if (other == null) {
      read(own);
    } else if (before != null) {
      return before.coupons;
    }
    return result(other == null ? own : other).coupons;
  }

  /** Completes the future with what another thread has just read, or else reads in this thread. */
  private void read(CompletableFuture<Read> result) {
    try {
      var now = clock.instant();
      var latest = last;
      if (latest != null && latest.isFresh(now)) {
        result.complete(latest);
        return;
      }
      var found = new ArrayList<Coupon>();
      Pages.<Coupon, CouponId>forEach(
          after -> coupons.open(now, after, COUPONS_A_PAGE), Coupon::id, found::addAll);
      var read = new Read(List.copyOf(found), now);
      last = read;
      result.complete(read);
    } catch (Throwable e) {
      result.completeExceptionally(e);
    } finally {
      reading.set(null);
    }
  }

  private Read result(CompletableFuture<Read> result) {
    try {
      return result.join();
    } catch (CompletionException e) {
      var before = last;
      if (before != null && e.getCause() instanceof DatabaseUnavailableException) {
        return before;
      }
      throw e.getCause() instanceof RuntimeException failure ? failure : e;
    }
  }
}
