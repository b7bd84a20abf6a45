package io.firstcome.application.soldout;

import io.firstcome.application.stock.KnownEpochs;
import io.firstcome.domain.clock.ProcessClock;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.StockBackend;
import io.firstcome.domain.issuance.Epoch;
import io.firstcome.domain.issuance.SoldOutLease;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.observation.IssuanceObserver;
import io.firstcome.domain.observation.OperationObservation;
import io.firstcome.domain.port.BoundedMaps;
import io.firstcome.domain.port.SoldOutLeases;
import io.firstcome.domain.port.StockFencedException;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Refuses claims of sold-out coupons without a call to the stock, while this instance has a lease.
 *
 * <p>After the sell-out nearly every claim is refused. A coupon with many refusals gets a lease,
 * which is renewed while they continue. Users who may have a mark in the ledger are not refused
 * here.
 */
public final class RefuseSoldOut {

  private static final String ROUND = "requesting a lease on sold out";

  private final SoldOutLeases leases;
  private final KnownEpochs epochs;
  private final SoldOutLimits limits;
  private final Executor executor;
  private final ProcessClock clock;
  private final IssuanceObserver observer;
  private final ConcurrentMap<CouponId, Refusals> coupons;

  /**
   * @param executor runs requests of leases, which block
   */
  public RefuseSoldOut(
      SoldOutLeases leases,
      KnownEpochs epochs,
      SoldOutLimits limits,
      Executor executor,
      BoundedMaps maps,
      ProcessClock clock,
      IssuanceObserver observer) {
    this.leases = leases;
    this.epochs = epochs;
    this.limits = limits;
    this.executor = executor;
    this.clock = clock;
    this.observer = observer;
    this.coupons = maps.create(limits.coupons());
  }

  /** A lease, its epoch, and the time just before it was requested. */
  private record Held(SoldOutLease lease, Epoch epoch, ProcessClock.Reading requested) {}

  /** The refusals of one coupon since the last request, and the lease of that request. */
  private static final class Refusals {
    final AtomicInteger sinceRequest = new AtomicInteger();
    final AtomicBoolean isRequesting = new AtomicBoolean();
    final AtomicLong requestedNanos;
    final AtomicReference<@Nullable Held> held = new AtomicReference<>();

    Refusals(long neverRequested) {
      requestedNanos = new AtomicLong(neverRequested);
    }
  }

  /**
   * Whether the claim is refused as sold out now. If false, the stock decides.
   *
   * @param coupon of any backend
   */
  public boolean refuses(Coupon coupon, UserId user) {
    var refusals = coupons.get(coupon.id());
    var held = refusals == null ? null : refusals.held.get();
    if (refusals == null || held == null || !isValid(held, coupon)) {
      return false;
    }
    if (held.lease.mayHaveMark(user)) {
      return false;
    }
    count(coupon, refusals);
    return true;
  }

  private boolean isValid(Held held, Coupon coupon) {
    return held.requested.isYounger(SoldOutLease.LENGTH, clock.now())
        && held.epoch.equals(epochs.of(coupon.partition()));
  }

  /** The stock has refused a claim of the coupon as sold out. */
  public void refusedByStock(Coupon coupon) {
    if (coupon.stockBackend() == StockBackend.REDIS) {
      long neverRequested = clock.nanos() - limits.requestEvery().toNanos();
      count(coupon, coupons.computeIfAbsent(coupon.id(), absent -> new Refusals(neverRequested)));
    }
  }

  private void count(Coupon coupon, Refusals refusals) {
    if (refusals.sinceRequest.incrementAndGet() >= limits.refusalsBeforeRequest()
        && clock.nanos() - refusals.requestedNanos.get() >= limits.requestEvery().toNanos()
        && refusals.isRequesting.compareAndSet(false, true)) {
      refusals.sinceRequest.set(0);
      refusals.requestedNanos.set(clock.nanos());
      try {
        executor.execute(() -> request(coupon, refusals));
      } catch (RuntimeException | Error e) {
        refusals.isRequesting.set(false);
        observer.observe(new OperationObservation.RoundFailed(ROUND, e));
      }
    }
  }

  /** A lease stays in use if the next request fails, until it is over. */
  private void request(Coupon coupon, Refusals refusals) {
    try {
      var requested = clock.now();
      var address = epochs.address(coupon);
      refusals.held.set(
          leases
              .request(address)
              .map(lease -> new Held(lease, address.epoch(), requested))
              .orElse(null));
    } catch (StockFencedException e) {
      refusals.held.set(null);
    } catch (RuntimeException e) {
      observer.observe(new OperationObservation.RoundFailed(ROUND, e));
    } finally {
      refusals.isRequesting.set(false);
    }
  }
}
