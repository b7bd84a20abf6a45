package io.firstcome.application.claim;

import io.firstcome.application.stock.KnownEpochs;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.issuance.ClaimOutcome;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.observation.IssuanceObserver;
import io.firstcome.domain.port.CouponStock;
import io.firstcome.domain.usercoupon.CodeKeys;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Function;

/**
 * Sends claims to the stock backend in groups: claims of one coupon that arrive while calls are in
 * flight wait and share the next call, in the order of their arrival.
 *
 * <p>There is no timer. An idle coupon's claim is sent at once, alone; the busier the coupon, the
 * larger the groups, and the fewer calls, writes and flushes a claim costs. This is a database's
 * group commit, for any backend: it uses the port only.
 *
 * <p>Everything is bounded: claims per call, calls in flight, claims waiting, and the time for
 * each. A claim above a limit is answered {@link ClaimOutcome.Busy}, which means that nothing
 * happened.
 */
public final class GroupCommit {

  private final Function<Coupon, CouponStock> stockOf;
  private final KnownEpochs epochs;
  private final CodeKeys codeKeys;
  private final ClaimLimits limits;
  private final Executor executor;
  private final IssuanceObserver observer;

  /** The lanes of coupons with claims now, and at most {@code limits.lanes()} with earlier ones. */
  private final ConcurrentHashMap<CouponId, ClaimLane> lanes = new ConcurrentHashMap<>();

  /**
   * @param stockOf finds the stock of a coupon, which never changes
   * @param executor runs short tasks that do not block; first in, first out, so that claims whose
   *     threads are ready to run join the group that is sent next
   */
  public GroupCommit(
      Function<Coupon, CouponStock> stockOf,
      KnownEpochs epochs,
      CodeKeys codeKeys,
      ClaimLimits limits,
      Executor executor,
      IssuanceObserver observer) {
    this.stockOf = stockOf;
    this.epochs = epochs;
    this.codeKeys = codeKeys;
    this.limits = limits;
    this.executor = executor;
    this.observer = observer;
  }

  /**
   * Claims the coupon for the user.
   *
   * @return the outcome, or completed exceptionally with a {@link
   *     io.firstcome.domain.port.StockUnavailableException}. It always completes: within {@code
   *     waitingTime + 2 * (callTime + answerTime)} of the limits
   */
  public CompletionStage<ClaimOutcome> claim(Coupon coupon, UserId user) {
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

  private ClaimLane open(Coupon coupon) {
    if (lanes.size() >= limits.lanes()) {
      closeIdleLanes();
    }
    return lanes.computeIfAbsent(
        coupon.id(),
        id ->
            new ClaimLane(
                stockOf.apply(coupon),
                () -> epochs.address(coupon),
                coupon.campaign(),
                codeKeys.pseudonyms(coupon.codeKeyVersion()),
                limits,
                executor,
                observer));
  }

  /**
   * A closed lane accepts no claims, not even of a caller that has looked it up before. So a coupon
   * never has two lanes with claims in them, which would overtake each other.
   */
  private void closeIdleLanes() {
    lanes.forEach((couponId, lane) -> {
      if (lane.closeIfIdle()) {
        lanes.remove(couponId, lane);
      }
    });
  }

  /** The number of lanes. */
  int lanes() {
    return lanes.size();
  }
}
