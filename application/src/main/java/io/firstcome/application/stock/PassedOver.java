package io.firstcome.application.stock;

import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.coupon.StockBackend;
import io.firstcome.domain.port.DatabaseLockedException;
import io.firstcome.domain.port.ServerUnavailableException;
import io.firstcome.domain.port.StockContentException;
import io.firstcome.domain.port.StockFencedException;
import java.util.HashSet;
import java.util.Set;

/**
 * The stocks and coupons that one round of work skips after a failed call. A stock that did not
 * answer is skipped as a whole, since each further call would wait for a timeout. A coupon whose
 * call was fenced, or whose content the stock cannot use, is skipped alone: the call fails at once,
 * and the coupon may be the only one without a stock, which must not delay the others of its
 * partition. So is one whose row another session has locked.
 */
public final class PassedOver {

  /** The part of a backend that fails as one. */
  private record Stock(StockBackend backend, Partition partition) {

    static Stock of(Coupon coupon) {
      return new Stock(coupon.stockBackend(), coupon.partition());
    }
  }

  private final Set<Stock> unreachable = new HashSet<>();
  private final Set<CouponId> refused = new HashSet<>();

  public boolean contains(Coupon coupon) {
    return refused.contains(coupon.id()) || unreachable.contains(Stock.of(coupon));
  }

  public void add(Coupon coupon, ServerUnavailableException failure) {
    if (failure instanceof StockFencedException
        || failure instanceof StockContentException
        || failure instanceof DatabaseLockedException) {
      refused.add(coupon.id());
    } else {
      unreachable.add(Stock.of(coupon));
    }
  }
}
