package io.firstcome.application.archive;

import io.firstcome.application.stock.KnownEpochs;
import io.firstcome.application.stock.StockSync;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.issuance.ArchiveClearing;
import io.firstcome.domain.observation.IssuanceObserver;
import io.firstcome.domain.observation.OperationObservation;
import io.firstcome.domain.port.CouponRepository;
import io.firstcome.domain.port.StockFencedException;
import io.firstcome.domain.port.StockRecovery;
import io.firstcome.domain.port.StockUnavailableException;
import java.util.List;

/**
 * Deletes the data of archived coupons that an older state of the server still has, after each
 * recovery, page by page.
 *
 * <p>The progress is stored with the stock, and each recovery resets it. So any instance continues
 * where another one has stopped, and two concurrent ones only repeat a page.
 *
 * <p>Only coupons whose removal is noted are cleared. One that was archived just now is removed by
 * {@link StockSync}, which also notes in the stock that no delayed creation may restore it: cleared
 * before that, it could be created again.
 */
public final class ClearArchivedCoupons {

  /** Four keys each; one call holds the server for a millisecond or two. */
  private static final int COUPONS_A_CALL = 500;

  private final CouponRepository coupons;
  private final StockRecovery recovery;
  private final KnownEpochs epochs;
  private final List<Partition> partitions;
  private final IssuanceObserver observer;

  public ClearArchivedCoupons(
      CouponRepository coupons,
      StockRecovery recovery,
      KnownEpochs epochs,
      List<Partition> partitions,
      IssuanceObserver observer) {
    this.coupons = coupons;
    this.recovery = recovery;
    this.epochs = epochs;
    this.partitions = List.copyOf(partitions);
    this.observer = observer;
  }

  /**
   * Clears the next page of each partition. Skips a partition whose stock is not reachable or
   * closed.
   *
   * @return whether a partition may have more
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if the database is not reachable
   */
  public boolean clearNext() {
    boolean more = false;
    for (var partition : partitions) {
      try {
        more |= clearNext(partition);
      } catch (StockFencedException e) {
        // It recovers, or this instance does not know its epoch yet: retried later.
      } catch (StockUnavailableException e) {
        observer.observe(new OperationObservation.RoundFailed("clearing archived coupons", e));
      }
    }
    return more;
  }

  private boolean clearNext(Partition partition) {
    var epoch = epochs.of(partition);
    return switch (recovery.clearing(partition, epoch)) {
      case ArchiveClearing.Done() -> false;
      case ArchiveClearing.After(var last) -> {
        var page = coupons.removedInPartition(partition, last, COUPONS_A_CALL);
        recovery.clear(partition, epoch, page);
        yield !page.isEmpty();
      }
    };
  }
}
