package io.firstcome.application.stock;

import io.firstcome.domain.clock.ProcessClock;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.CouponStatus;
import io.firstcome.domain.coupon.StockBackend;
import io.firstcome.domain.issuance.SoldOutLease;
import io.firstcome.domain.issuance.StockAddress;
import io.firstcome.domain.port.ServerUnavailableException.Effect;
import io.firstcome.domain.port.SoldOutLeases;
import io.firstcome.domain.port.StockFencedException;
import io.firstcome.domain.port.StockUnavailableException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Ends leases on "sold out" when no instance can use them any more, so that slots that became free
 * can be claimed.
 *
 * <p>The number of the last lease is read, and the lease is ended when {@link
 * SoldOutLease#OVER_AFTER} has passed since then by the monotonic clock of this process. That clock
 * may stand still, which only makes it later. Any number of instances may do this at the same time.
 * Nothing is lost if they end before: what made a slot free is repeated until it is not withheld.
 */
public final class EndLeases {

  /** A coupon above this number waits until {@link #endLater} is called for it again. */
  private static final int MAX_COUPONS = 10_000;

  private static final Duration LOOK_EVERY = Duration.ofMillis(50);

  private final SoldOutLeases leases;
  private final KnownEpochs epochs;
  private final ProcessClock clock;
  private final ConcurrentHashMap<CouponId, Step> waiting = new ConcurrentHashMap<>();

  public EndLeases(SoldOutLeases leases, KnownEpochs epochs, ProcessClock clock) {
    this.leases = leases;
    this.epochs = epochs;
    this.clock = clock;
  }

  /** What is to be done for a coupon. */
  private sealed interface Step {

    /** Its last lease is to be read. */
    record Read(Coupon coupon) implements Step {}

    /**
     * The lease is to be ended when it is over.
     *
     * @param again whether the last lease is to be read again then, as there may be a later one
     */
    record End(Coupon coupon, StockAddress address, long lease, long readNanos, boolean again)
        implements Step {

      End repeated() {
        return new End(coupon, address, lease, readNanos, true);
      }
    }
  }

  /** Ends the leases of the coupon by later calls of {@link #endDue}. */
  public void endLater(Coupon coupon) {
    if (coupon.stockBackend() == StockBackend.REDIS && waiting.size() < MAX_COUPONS) {
      waiting.merge(
          coupon.id(),
          new Step.Read(coupon),
          (step, read) -> step instanceof Step.End end ? end.repeated() : read);
    }
  }

  /**
   * Takes the next step for each coupon. Leases of an earlier epoch are not ended here: a recovery
   * has waited for them.
   *
   * @throws StockUnavailableException if the stock is not reachable. A coupon whose step failed
   *     waits until {@link #endLater} is called for it again
   */
  public void endDue() {
    for (var couponId : List.copyOf(waiting.keySet())) {
      var step = waiting.remove(couponId);
      try {
        switch (step) {
          case Step.Read read -> read(read.coupon);
          case Step.End end -> end(end);
          case null -> {}
        }
      } catch (StockFencedException e) {
        // A later epoch, or no stock: there is no lease to end.
      }
    }
  }

  private void read(Coupon coupon) {
    var address = epochs.address(coupon);
    long lease = leases.latest(address);
    if (lease != SoldOutLeases.NONE) {
      long readNanos = clock.nanos();
      // In place of requests that came meanwhile: under load they come all the time.
      waiting.compute(
          coupon.id(),
          (id, meanwhile) -> new Step.End(coupon, address, lease, readNanos, meanwhile != null));
    }
  }

  private void end(Step.End end) {
    if (!isOver(end.readNanos)) {
      waiting.merge(end.coupon.id(), end, (read, mine) -> end.repeated());
      return;
    }
    leases.end(end.address, end.lease);
    if (end.again) {
      endLater(end.coupon);
    }
  }

  private boolean isOver(long readNanos) {
    return clock.nanos() - readNanos >= SoldOutLease.OVER_AFTER.toNanos();
  }

  /**
   * Blocks until leases that were granted before this call are over, and ends them.
   *
   * @throws StockUnavailableException if the stock is not reachable, or the thread was interrupted
   */
  public void awaitEnd(Coupon coupon) {
    if (coupon.stockBackend() != StockBackend.REDIS || coupon.status() == CouponStatus.ARCHIVED) {
      return;
    }
    var address = epochs.address(coupon);
    long lease = leases.latest(address);
    if (lease == SoldOutLeases.NONE) {
      return;
    }
    awaitOver(clock.nanos());
    leases.end(address, lease);
  }

  private void awaitOver(long sinceNanos) {
    try {
      while (!isOver(sinceNanos)) {
        clock.sleep(LOOK_EVERY);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StockUnavailableException(
          Effect.UNKNOWN, "interrupted while leases were in use", e);
    }
  }
}
