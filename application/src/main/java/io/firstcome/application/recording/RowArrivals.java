package io.firstcome.application.recording;

import io.firstcome.application.paging.Pages;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.port.UserCouponRepository;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Lets callers wait until the row of a user coupon is committed, by any instance.
 *
 * <p>Rows that this instance records are announced at once. For those of other instances {@link
 * #findAwaitedRows} queries the database, once per coupon for all waiting callers.
 */
public final class RowArrivals {

  private final UserCouponRepository userCoupons;
  private final RecordingLimits limits;
  private final ConcurrentHashMap<Key, Awaited> awaited = new ConcurrentHashMap<>();
  private final AtomicInteger waiters = new AtomicInteger();

  public RowArrivals(UserCouponRepository userCoupons, RecordingLimits limits) {
    this.userCoupons = userCoupons;
    this.limits = limits;
  }

  private record Key(CouponId couponId, UserId userId) {}

  /** A row, and the number of callers that wait for it. */
  private record Awaited(CountDownLatch arrival, int callers) {

    Awaited plus(int more) {
      return new Awaited(arrival, callers + more);
    }
  }

  /**
   * Waits for the row of that coupon and user.
   *
   * @return whether it is committed; false after {@code atMost}, or at once if too many wait
   *     already
   */
  public boolean await(CouponId couponId, UserId userId, Duration atMost)
      throws InterruptedException {
    try {
      return waiters.incrementAndGet() <= limits.awaitedRows()
          && awaitJoined(new Key(couponId, userId), atMost);
    } finally {
      waiters.decrementAndGet();
    }
  }

  private boolean awaitJoined(Key key, Duration atMost) throws InterruptedException {
    var arrival = join(key);
    try {
      return arrival.await(atMost.toNanos(), TimeUnit.NANOSECONDS);
    } finally {
      leave(key, arrival);
    }
  }

  private CountDownLatch join(Key key) {
    return awaited
        .merge(key, new Awaited(new CountDownLatch(1), 1), (existing, _) -> existing.plus(1))
        .arrival();
  }

  /** The last waiting caller removes the entry. */
  private void leave(Key key, CountDownLatch arrival) {
    awaited.computeIfPresent(
        key,
        (same, existing) -> {
          if (!existing.arrival().equals(arrival)) {
            return existing;
          }
          return existing.callers() == 1 ? null : existing.plus(-1);
        });
  }

  /** Wakes the callers that wait for one of these committed rows. */
  void announce(CouponId couponId, Collection<UserId> users) {
    if (awaited.isEmpty()) {
      return;
    }
    for (var user : users) {
      var arrived = awaited.remove(new Key(couponId, user));
      if (arrived != null) {
        arrived.arrival().countDown();
      }
    }
  }

  /**
   * Queries the database for all rows that callers wait for.
   *
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if it is not reachable
   */
  public void findAwaitedRows() {
    Map<CouponId, Set<UserId>> usersByCoupon = new HashMap<>();
    for (var key : awaited.keySet()) {
      usersByCoupon.computeIfAbsent(key.couponId(), absent -> new HashSet<>()).add(key.userId());
    }
    usersByCoupon.forEach((couponId, users) -> {
      for (var page : Pages.of(new ArrayList<>(users), limits.rowPage())) {
        announce(couponId, userCoupons.owners(couponId, page));
      }
    });
  }
}
