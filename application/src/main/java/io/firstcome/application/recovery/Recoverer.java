package io.firstcome.application.recovery;

import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.issuance.Epoch;
import org.jspecify.annotations.Nullable;

/** Recovers partitions of a stock that can be lost. */
interface Recoverer {

  /**
   * Recovers the partition if its fence is not open in the database's epoch on this run of the
   * server.
   *
   * @param distrusted an epoch that must be replaced although its fence is open, or null
   */
  Recovery openOrRecover(Partition partition, @Nullable Epoch distrusted)
      throws InterruptedException;

  /**
   * Whether every coupon of the partition accepts claims of this instance now: the fence is open in
   * the epoch that this instance knows. Does not query the database.
   *
   * @throws io.firstcome.domain.port.StockUnavailableException if the stock is not reachable
   */
  boolean takesClaims(Partition partition);

  /** Recovers the partition, open or not. */
  Recovery recoverNow(Partition partition, RecoverStock.Database database)
      throws InterruptedException;
}
