package io.firstcome.domain.issuance;

import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.coupon.StockBackend;

/**
 * The location of a coupon's stock, and the epoch that the caller knows. A backend whose stock has
 * another epoch refuses the call, so a caller that missed a recovery has no effect.
 *
 * @param epoch of a stock that can be lost and recovered; {@link Epoch#NONE} of one that is the
 *     database itself
 */
public record StockAddress(
    CouponId couponId, Partition partition, Epoch epoch, StockBackend backend) {

  /** A stock in Redis. */
  public StockAddress(CouponId couponId, Partition partition, Epoch epoch) {
    this(couponId, partition, epoch, StockBackend.REDIS);
  }

  /** A stock that is the rows of the database. It has no epochs. */
  public static StockAddress inDatabase(CouponId couponId, Partition partition) {
    return new StockAddress(couponId, partition, Epoch.NONE, StockBackend.POSTGRES);
  }
}
