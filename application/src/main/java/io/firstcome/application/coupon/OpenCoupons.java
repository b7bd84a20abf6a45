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
import java.util.concurrent.locks.ReentrantLock;
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
  private final ReentrantLock reading = new ReentrantLock();
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
   * while the database is not reachable, others get those that were read before.
   *
   * @throws DatabaseUnavailableException if none were read yet and the database is not reachable
   */
  public List<Coupon> list() {
    var read = last;
    if (read != null && (read.isFresh(clock.instant()) || !reading.tryLock())) {
      return read.coupons;
    }
    if (read == null) {
      reading.lock();
    }
    try {
      return refreshed();
    } finally {
      reading.unlock();
    }
  }

  /** Another caller may have read them while this one waited. */
  private List<Coupon> refreshed() {
    var now = clock.instant();
    var read = last;
    if (read != null && read.isFresh(now)) {
      return read.coupons;
    }
    try {
      var found = new ArrayList<Coupon>();
      Pages.<Coupon, CouponId>forEach(
          after -> coupons.open(now, after, COUPONS_A_PAGE), Coupon::id, found::addAll);
      var result = List.copyOf(found);
      last = new Read(result, now);
      return result;
    } catch (DatabaseUnavailableException e) {
      if (read == null) {
        throw e;
      }
      return read.coupons;
    }
  }
}
