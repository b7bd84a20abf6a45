package io.firstcome.application;

import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.issuance.Epoch;
import org.jspecify.annotations.Nullable;

/** Recovers partitions of a stock that can be lost. */
interface Recoverer {

  /**
   * Recovers the partition if its fence is not open in the database's epoch on this run of the
   * server.
   *
   * @param distrusted an epoch that must not go on although its fence is open, or null
   */
  Recovery openOrRecover(Partition partition, @Nullable Epoch distrusted)
      throws InterruptedException;

  /**
   * Whether claims of this instance would be taken by every coupon of the partition now: the fence
   * is open in the epoch that this instance knows. The database is not asked.
   *
   * @throws io.firstcome.domain.port.StockUnavailableException if the stock is away
   */
  boolean takesClaims(Partition partition);

  /** Recovers the partition, open or not. */
  Recovery recoverNow(Partition partition, RecoverStock.Database database)
      throws InterruptedException;
}
