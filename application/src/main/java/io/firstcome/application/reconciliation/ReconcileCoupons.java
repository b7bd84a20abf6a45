package io.firstcome.application.reconciliation;

import io.firstcome.application.paging.Pages;
import io.firstcome.application.recovery.StockKeeper;
import io.firstcome.application.stock.KnownEpochs;
import io.firstcome.application.stock.StockSync;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.coupon.StockBackend;
import io.firstcome.domain.coupon.StoredCoupon;
import io.firstcome.domain.issuance.Epoch;
import io.firstcome.domain.observation.ConsistencyObservation;
import io.firstcome.domain.observation.IssuanceObserver;
import io.firstcome.domain.port.CouponRepository;
import io.firstcome.domain.port.StockFencedException;
import io.firstcome.domain.reconciliation.Discrepancy;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Compares one coupon after the other with {@link ProveExactness}, for as long as the service runs,
 * and requests a recovery of the partition of one with discrepancies.
 *
 * <p>Only a discrepancy that two comparisons in a row have found counts. One that is found again
 * after a recovery is only reported: a fault that a recovery cannot heal must not close the
 * partition repeatedly. Entries that are stuck in the log are only reported; the sweep publishes
 * them. Terms that differ need no recovery: those of the database are applied to the stock again.
 * Discrepancies of a stock in the database are only reported: there is nothing that it could be
 * recovered from. An archived coupon is skipped. For use by one thread.
 */
public final class ReconcileCoupons {

  private static final int COUPONS_A_PAGE = 1_000;

  private final CouponRepository coupons;
  private final ProveExactness proveExactness;
  private final StockSync stockSync;
  private final KnownEpochs epochs;
  private final StockKeeper keeper;
  private final IssuanceObserver observer;
  private final Pace pace;
  private final Queue<Coupon> turn = new ArrayDeque<>();
  private final Map<CouponId, Set<Discrepancy>> sentToRecovery = new HashMap<>();

  public ReconcileCoupons(
      CouponRepository coupons,
      ProveExactness proveExactness,
      StockSync stockSync,
      KnownEpochs epochs,
      StockKeeper keeper,
      IssuanceObserver observer,
      Pace pace) {
    this.coupons = coupons;
    this.proveExactness = proveExactness;
    this.stockSync = stockSync;
    this.epochs = epochs;
    this.keeper = keeper;
    this.observer = observer;
    this.pace = pace;
  }

  /**
   * Compares the next coupon, at the given pace, and a second time without rest if anything seems
   * to be wrong. Skips a coupon whose partition is closed or being recovered.
   *
   * @return whether this was the last coupon of a turn through all of them
   * @throws io.firstcome.domain.port.StockUnavailableException if the stock is not reachable
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if the database is not reachable
   */
  public boolean reconcileNext() {
    if (turn.isEmpty()) {
      beginTurn();
    }
    var coupon = turn.poll();
    if (coupon != null && takesCalls(coupon)) {
      try {
        long begin = System.nanoTime();
        reconcile(coupon);
        observer.observe(
            new ConsistencyObservation.CouponCompared(
                coupon.id(), Duration.ofNanos(System.nanoTime() - begin)));
      } catch (StockFencedException e) {
        keeper.checkNow();
      }
    }
    return turn.isEmpty();
  }

  /** A comparison during a recovery would only slow the recovery down. */
  private boolean takesCalls(Coupon coupon) {
    return coupon.stockBackend() == StockBackend.POSTGRES || keeper.isOpen(coupon.partition());
  }

  private void beginTurn() {
    for (Partition partition : keeper.partitions()) {
      addToTurn(coupons.inPartition(partition), StockBackend.REDIS);
    }
    Pages.<StoredCoupon, CouponId>forEach(
        after -> coupons.page(null, after, COUPONS_A_PAGE),
        stored -> stored.coupon().id(),
        page -> addToTurn(page.stream().map(StoredCoupon::coupon).toList(), StockBackend.POSTGRES));
    sentToRecovery.keySet().retainAll(turn.stream().map(Coupon::id).collect(Collectors.toSet()));
  }

  private void addToTurn(List<Coupon> found, StockBackend backend) {
    found.stream()
        .filter(coupon -> coupon.stockBackend() == backend)
        .filter(Coupon::hasStock)
        .forEach(turn::add);
  }

  private void reconcile(Coupon coupon) {
    var epoch = epochs.of(coupon.partition());
    var found = compare(coupon.id(), pace);
    if (!found.isEmpty()) {
      var again = compare(coupon.id(), Pace.WITHOUT_REST);
      found = found.stream().filter(again::contains).collect(Collectors.toSet());
    }
    if (found.isEmpty()) {
      sentToRecovery.remove(coupon.id());
      return;
    }
    boolean heals = startsRecovery(coupon, epoch, found);
    boolean areTermsDifferent = found.stream().anyMatch(Discrepancy.OtherTerms.class::isInstance);
    observer.observe(
        new ConsistencyObservation.DiscrepanciesFound(
            coupon.id(), List.copyOf(found), heals || areTermsDifferent));
    if (areTermsDifferent) {
      coupons.find(coupon.id()).ifPresent(stockSync::ensure);
    }
  }

  /**
   * Compares the coupon as it is stored now: since the turn began, operators may have changed it.
   */
  private Set<Discrepancy> compare(CouponId couponId, Pace pace) {
    return coupons
        .find(couponId)
        .filter(Coupon::hasStock)
        .map(stored -> Set.copyOf(proveExactness.prove(stored, pace).discrepancies()))
        .orElse(Set.of());
  }

  private boolean startsRecovery(Coupon coupon, Epoch epoch, Set<Discrepancy> found) {
    var toHeal =
        found.stream()
            .filter(ReconcileCoupons::isHealedByRecovery)
            .filter(discrepancy ->
                !sentToRecovery.getOrDefault(coupon.id(), Set.of()).contains(discrepancy))
            .collect(Collectors.toSet());
    if (toHeal.isEmpty() || coupon.stockBackend() == StockBackend.POSTGRES) {
      return false;
    }
    sentToRecovery.put(coupon.id(), found);
    keeper.requestRecovery(coupon.partition(), epoch);
    return true;
  }

  private static boolean isHealedByRecovery(Discrepancy discrepancy) {
    return switch (discrepancy) {
      case Discrepancy.StuckEntry _, Discrepancy.OtherTerms _ -> false;
      case Discrepancy.MissingRow _,
          Discrepancy.ExtraRow _,
          Discrepancy.WrongUser _,
          Discrepancy.WrongSlot _,
          Discrepancy.SlotOutOfRange _,
          Discrepancy.LostSlot _,
          Discrepancy.MissingStock _ ->
          true;
    };
  }
}
