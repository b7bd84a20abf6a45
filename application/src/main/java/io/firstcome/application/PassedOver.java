package io.firstcome.application;

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
 * What one round of work passes over after a failed call. A stock that did not answer is passed
 * over whole, since each further call would wait for a timeout. A coupon whose call met a fence, or
 * content that the stock cannot work with, is passed over alone: the refusal comes at once, and the
 * coupon may be the only one without a stock, which must not hold up the others of its partition.
 * So is one whose row somebody else has locked.
 */
final class PassedOver {

  /** The part of a backend that fails as one. */
  private record Stock(StockBackend backend, Partition partition) {

    static Stock of(Coupon coupon) {
      return new Stock(coupon.stockBackend(), coupon.partition());
    }
  }

  private final Set<Stock> away = new HashSet<>();
  private final Set<CouponId> refused = new HashSet<>();

  boolean contains(Coupon coupon) {
    return refused.contains(coupon.id()) || away.contains(Stock.of(coupon));
  }

  void add(Coupon coupon, ServerUnavailableException failure) {
    if (failure instanceof StockFencedException
        || failure instanceof StockContentException
        || failure instanceof DatabaseLockedException) {
      refused.add(coupon.id());
    } else {
      away.add(Stock.of(coupon));
    }
  }
}
