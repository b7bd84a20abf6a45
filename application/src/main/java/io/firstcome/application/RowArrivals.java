package io.firstcome.application;

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
 * Lets callers wait until the row of a user coupon is committed, by whatever instance.
 *
 * <p>Rows that this instance records are announced at once. For those of other instances {@link
 * #lookForAwaitedRows} asks the database, one query a coupon for all that wait.
 */
public final class RowArrivals {

  private final UserCouponRepository userCoupons;
  private final ApplicationLimits limits;
  private final ConcurrentHashMap<Key, Awaited> awaited = new ConcurrentHashMap<>();
  private final AtomicInteger waiters = new AtomicInteger();

  public RowArrivals(UserCouponRepository userCoupons, ApplicationLimits limits) {
    this.userCoupons = userCoupons;
    this.limits = limits;
  }

  private record Key(CouponId couponId, UserId userId) {}

  /** A row that so many callers wait for. */
  private record Awaited(CountDownLatch arrival, int callers) {

    Awaited plus(int more) {
      return new Awaited(arrival, callers + more);
    }
  }

  /**
   * Waits for the row of that coupon and user.
   *
   * @return whether it is there; false after {@code atMost}, or at once if too many wait already
   */
  boolean await(CouponId couponId, UserId userId, Duration atMost) throws InterruptedException {
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
        .merge(key, new Awaited(new CountDownLatch(1), 1), (there, absent) -> there.plus(1))
        .arrival();
  }

  /** The last one turns off the light; the others go on waiting. */
  private void leave(Key key, CountDownLatch arrival) {
    awaited.computeIfPresent(
        key,
        (same, there) -> {
          if (!there.arrival().equals(arrival)) {
            return there;
          }
          return there.callers() == 1 ? null : there.plus(-1);
        });
  }

  /** Wakes those who wait for one of these rows, which are committed. */
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
   * One look at the database for all that is waited for.
   *
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if it could not be asked
   */
  public void lookForAwaitedRows() {
    Map<CouponId, Set<UserId>> usersByCoupon = new HashMap<>();
    for (var key : awaited.keySet()) {
      usersByCoupon.computeIfAbsent(key.couponId(), absent -> new HashSet<>()).add(key.userId());
    }
    usersByCoupon.forEach((couponId, users) -> {
      for (var page : Pages.of(new ArrayList<>(users), limits.pageSize())) {
        announce(couponId, userCoupons.owners(couponId, page));
      }
    });
  }
}
