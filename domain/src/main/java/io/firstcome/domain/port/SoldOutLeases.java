package io.firstcome.domain.port;

import io.firstcome.domain.issuance.SoldOutLease;
import io.firstcome.domain.issuance.StockAddress;
import java.util.Optional;

/**
 * Leases on the fact that a coupon is sold out, granted by its stock. While one may be in use, the
 * stock withholds slots that become free ({@link
 * io.firstcome.domain.issuance.ClaimOutcome.Withheld}) and adopts no late claim of a user without a
 * mark ({@link StockLeasedException}), until {@link #end} says that it is over. So nothing depends
 * on the clock of the stock's server.
 *
 * <p>Leases of an epoch say nothing about a later epoch: a recovery must not make a coupon ready
 * before those of earlier epochs are over.
 */
public interface SoldOutLeases {

  /** The number of no lease. */
  long NONE = 0;

  /**
   * Requests a lease. It may read a summary of the whole ledger, so it may take seconds.
   *
   * @return empty if the coupon is not sold out, is not claimed at this time, closes before the
   *     lease would end, or its ledger cannot be summarized
   * @throws StockFencedException if the partition is not open in that epoch, or the coupon has no
   *     stock
   * @throws StockUnavailableException if the server, or a replica that could be promoted, did not
   *     confirm the lease
   */
  Optional<SoldOutLease> request(StockAddress coupon);

  /**
   * The number of the last lease that was granted and has not been ended, or {@link #NONE}.
   *
   * @throws StockUnavailableException if the stock is not reachable
   */
  long latest(StockAddress coupon);

  /**
   * Declares that the lease with this number, and all earlier ones, are over. No effect if a later
   * one was granted.
   *
   * @throws StockUnavailableException if the server did not confirm the call
   */
  void end(StockAddress coupon, long lease);

  /** The leases of a deployment without a stock that grants any. */
  static SoldOutLeases none() {
    return new SoldOutLeases() {
      @Override
      public Optional<SoldOutLease> request(StockAddress coupon) {
        return Optional.empty();
      }

      @Override
      public long latest(StockAddress coupon) {
        return NONE;
      }

      @Override
      public void end(StockAddress coupon, long lease) {}
    };
  }
}
