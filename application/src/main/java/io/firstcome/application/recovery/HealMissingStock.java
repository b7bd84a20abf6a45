package io.firstcome.application.recovery;

import io.firstcome.application.stock.FencedCoupons;
import io.firstcome.application.stock.KnownEpochs;
import io.firstcome.application.stock.StockSync;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.issuance.StockAddress;
import io.firstcome.domain.observation.ConsistencyObservation;
import io.firstcome.domain.observation.IssuanceObserver;
import io.firstcome.domain.port.CouponRepository;
import io.firstcome.domain.port.StockFencedException;
import io.firstcome.domain.port.StockRecovery;
import io.firstcome.domain.reconciliation.Discrepancy;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Requests a recovery of the partition of a coupon whose stock is missing, although the partition
 * is open and the coupon is not archived. This happens if the database was set back to a time
 * before the archiving, or if a recovery could not rebuild the coupon. Only a recovery may create a
 * stock again.
 *
 * <p>Only coupons with fenced calls are checked, each until its stock was found missing in an
 * epoch. A missing stock is recovered once: if it is missing again in the next epoch, it is
 * reported, and the partition stays open. Each partition is checked by one thread at a time.
 */
public final class HealMissingStock {

  private final FencedCoupons fencedCoupons;
  private final CouponRepository coupons;
  private final StockSync stockSync;
  private final StockRecovery recovery;
  private final KnownEpochs epochs;
  private final StockKeeper keeper;
  private final IssuanceObserver observer;

  /** Coupons that a recovery was requested for, in the epoch in which they were last missing. */
  private final ConcurrentHashMap<CouponId, StockAddress> sentToRecovery =
      new ConcurrentHashMap<>();

  public HealMissingStock(
      FencedCoupons fencedCoupons,
      CouponRepository coupons,
      StockSync stockSync,
      StockRecovery recovery,
      KnownEpochs epochs,
      StockKeeper keeper,
      IssuanceObserver observer) {
    this.fencedCoupons = fencedCoupons;
    this.coupons = coupons;
    this.stockSync = stockSync;
    this.recovery = recovery;
    this.epochs = epochs;
    this.keeper = keeper;
    this.observer = observer;
  }

  /**
   * Checks the coupons of the partition with fenced calls since the last check. Without any, no
   * server is called.
   *
   * @throws io.firstcome.domain.port.StockUnavailableException if the stock is not reachable
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if the database is not reachable
   */
  public void look(Partition partition) {
    var suspects = suspects(partition);
    // The fence is read before and after: a coupon that is fenced in between has no stock.
    if (suspects.isEmpty() || !isOpen(partition)) {
      return;
    }
    var missing = suspects.stream().filter(this::isMissing).toList();
    if (!missing.isEmpty() && isOpen(partition)) {
      missing.forEach(this::heal);
    }
  }

  private Set<StockAddress> suspects(Partition partition) {
    var epoch = epochs.of(partition);
    var ofThisEpoch =
        fencedCoupons.take(partition).stream()
            .filter(coupon -> coupon.epoch().equals(epoch))
            .filter(coupon -> !coupon.equals(sentToRecovery.get(coupon.couponId())));
    var recoveredSince =
        sentToRecovery.values().stream()
            .filter(coupon -> coupon.partition().equals(partition))
            .filter(coupon -> epoch.isAfter(coupon.epoch()))
            .map(coupon -> new StockAddress(coupon.couponId(), partition, epoch));
    return Stream.concat(ofThisEpoch, recoveredSince).collect(Collectors.toSet());
  }

  private boolean isOpen(Partition partition) {
    return recovery.fence(partition).isOpenAt(epochs.of(partition));
  }

  private boolean isMissing(StockAddress suspect) {
    var coupon = coupons.find(suspect.couponId()).filter(Coupon::hasStock);
    try {
      coupon.ifPresent(stockSync::ensure);
    } catch (StockFencedException e) {
      // An archiving is committed before the stock is removed: it may have come in between.
      if (coupons.find(suspect.couponId()).filter(Coupon::hasStock).isPresent()) {
        return true;
      }
    }
    sentToRecovery.remove(suspect.couponId());
    return false;
  }

  private void heal(StockAddress missing) {
    boolean isNew = sentToRecovery.put(missing.couponId(), missing) == null;
    if (isNew) {
      keeper.requestRecovery(missing.partition(), missing.epoch());
    }
    observer.observe(
        new ConsistencyObservation.DiscrepanciesFound(
            missing.couponId(), List.of(new Discrepancy.MissingStock()), isNew));
  }
}
