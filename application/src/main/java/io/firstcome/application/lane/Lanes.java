package io.firstcome.application.lane;

import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.observation.IssuanceObserver;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Function;

/**
 * Sends requests to the stock in groups: those of one coupon that arrive while calls are in flight
 * wait and share the next call, in the order of their arrival.
 *
 * <p>There is no timer. An idle coupon's request is sent at once, alone; the busier the coupon, the
 * larger the groups, and the fewer calls, writes and flushes a request costs. This is a database's
 * group commit.
 *
 * <p>Everything is bounded: requests per call, calls in flight, requests waiting, and the time for
 * each. A request above a limit is answered {@link LaneCalls#busy}, which means that nothing
 * happened.
 *
 * @param <O> the outcome of a request
 */
public final class Lanes<O> {

  private final Function<Coupon, LaneCalls<O>> callsOf;
  private final LaneLimits limits;
  private final Executor executor;
  private final IssuanceObserver observer;

  /**
   * The lanes of coupons with requests now, and at most {@code limits.lanes()} with earlier ones.
   */
  private final ConcurrentHashMap<CouponId, Lane<O>> lanes = new ConcurrentHashMap<>();

  /**
   * @param callsOf makes the calls of a coupon, whose stock never changes
   * @param executor runs short tasks that do not block; first in, first out, so that requests whose
   *     threads are ready to run join the group that is sent next
   */
  public Lanes(
      Function<Coupon, LaneCalls<O>> callsOf,
      LaneLimits limits,
      Executor executor,
      IssuanceObserver observer) {
    this.callsOf = callsOf;
    this.limits = limits;
    this.executor = executor;
    this.observer = observer;
  }

  /**
   * Sends a request of the user.
   *
   * @return the outcome, or completed exceptionally with a {@link
   *     io.firstcome.domain.port.StockUnavailableException}. It always completes: within {@code
   *     waitingTime + 2 * (callTime + answerTime)} of the limits
   */
  public CompletionStage<O> send(Coupon coupon, UserId user) {
    while (true) {
      var known = lanes.get(coupon.id());
      var lane = known == null ? open(coupon) : known;
      var outcome = lane.add(user);
      if (outcome != null) {
        return outcome;
      }
      lanes.remove(coupon.id(), lane);
    }
  }

  private Lane<O> open(Coupon coupon) {
    if (lanes.size() >= limits.lanes()) {
      closeIdleLanes();
    }
    return lanes.computeIfAbsent(
        coupon.id(), id -> new Lane<>(callsOf.apply(coupon), limits, executor, observer));
  }

  /**
   * A closed lane accepts no requests, not even of a caller that has looked it up before. So a
   * coupon never has two lanes with requests in them, which would overtake each other.
   */
  private void closeIdleLanes() {
    lanes.forEach((couponId, lane) -> {
      if (lane.closeIfIdle()) {
        lanes.remove(couponId, lane);
      }
    });
  }

  /** The number of lanes. */
  public int size() {
    return lanes.size();
  }
}
