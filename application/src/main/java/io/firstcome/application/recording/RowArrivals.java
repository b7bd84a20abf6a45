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
 *
 * <p>If no row arrives for {@link RecordingLimits#standstill}, recording stands still: all callers
 * stop waiting, and until a row arrives only few may wait. Others would occupy connections in vain.
 */
public final class RowArrivals {

  /** Callers that may wait while recording stands still: their rows show when it continues. */
  private static final int WAITERS_IN_STANDSTILL = 8;

  private final UserCouponRepository userCoupons;
  private final RecordingLimits limits;
  private final ConcurrentHashMap<Key, Awaited> awaited = new ConcurrentHashMap<>();
  private final AtomicInteger waiters = new AtomicInteger();

  /** When a row arrived, or the first caller began to wait: {@link System#nanoTime}. */
  private volatile long progressNanos = System.nanoTime();

  private volatile boolean standsStill;

  public RowArrivals(UserCouponRepository userCoupons, RecordingLimits limits) {
    this.userCoupons = userCoupons;
    this.limits = limits;
  }

  private record Key(CouponId couponId, UserId userId) {}

  /** The end of a wait. */
  private static final class Arrival {

    private final CountDownLatch end = new CountDownLatch(1);
    private volatile boolean committed;

    /**
     * @param rowIsCommitted false if nobody may wait any longer
     */
    void end(boolean rowIsCommitted) {
      committed = rowIsCommitted;
      end.countDown();
    }

    boolean await(Duration atMost) throws InterruptedException {
      return end.await(atMost.toNanos(), TimeUnit.NANOSECONDS) && committed;
    }
  }

  /** The arrival of a row, and the number of callers that wait for it. */
  private record Awaited(Arrival arrival, int callers) {

    Awaited plus(int more) {
      return new Awaited(arrival, callers + more);
    }
  }

  /**
   * Waits for the row of that coupon and user.
   *
   * @return whether it is committed; false after {@code atMost}, if too many wait already, or if
   *     recording stands still
   */
  public boolean await(CouponId couponId, UserId userId, Duration atMost)
      throws InterruptedException {
    if (awaited.isEmpty()) {
      progressNanos = System.nanoTime();
    }
    try {
      return waiters.incrementAndGet() <= mostWaiters()
          && awaitJoined(new Key(couponId, userId), atMost);
    } finally {
      waiters.decrementAndGet();
    }
  }

  private boolean awaitJoined(Key key, Duration atMost) throws InterruptedException {
    var arrival = join(key);
    try {
      return arrival.await(atMost);
    } finally {
      leave(key, arrival);
    }
  }

  private Arrival join(Key key) {
    return awaited
        .merge(key, new Awaited(new Arrival(), 1), (existing, _) -> existing.plus(1))
        .arrival();
  }

  /** The last waiting caller removes the entry. */
  private void leave(Key key, Arrival arrival) {
    awaited.computeIfPresent(
        key,
        (same, existing) -> {
          if (!existing.arrival().equals(arrival)) {
            return existing;
          }
          return existing.callers() == 1 ? null : existing.plus(-1);
        });
  }

  private int mostWaiters() {
    return standsStill
        ? Math.min(WAITERS_IN_STANDSTILL, limits.awaitedRows())
        : limits.awaitedRows();
  }

  /** Wakes the callers that wait for one of these committed rows. */
  void announce(CouponId couponId, Collection<UserId> users) {
    if (users.isEmpty()) {
      return;
    }
    progressNanos = System.nanoTime();
    standsStill = false;
    if (awaited.isEmpty()) {
      return;
    }
    for (var user : users) {
      var arrived = awaited.remove(new Key(couponId, user));
      if (arrived != null) {
        arrived.arrival().end(true);
      }
    }
  }

  /**
   * Queries the database for all rows that callers wait for. If none has arrived for too long, all
   * callers stop waiting.
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
    if (!awaited.isEmpty() && System.nanoTime() - progressNanos > limits.standstill().toNanos()) {
      standsStill = true;
      awaited.values().forEach(one -> one.arrival().end(false));
    }
  }
}
