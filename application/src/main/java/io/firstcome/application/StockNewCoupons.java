package io.firstcome.application;

import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.issuance.StockTerms;
import io.firstcome.domain.port.CouponRepository;
import io.firstcome.domain.port.CouponStock;
import io.firstcome.domain.port.IssuanceObserver;
import io.firstcome.domain.port.StockUnavailableException;

/** Gives coupons that are new in the database their stock. */
public final class StockNewCoupons {

  private static final int COUPONS_A_ROUND = 100;

  private final CouponRepository coupons;
  private final CouponStock stock;
  private final KnownEpochs epochs;
  private final IssuanceObserver observer;

  public StockNewCoupons(
      CouponRepository coupons, CouponStock stock, KnownEpochs epochs, IssuanceObserver observer) {
    this.coupons = coupons;
    this.stock = stock;
    this.epochs = epochs;
    this.observer = observer;
  }

  /**
   * Gives the coupon its stock unless the database says that it has it: creating it a second time
   * would hand out its slots again.
   *
   * @throws StockUnavailableException if the stock could not be reached
   */
  void ensure(Coupon coupon) {
    if (!coupons.isInStock(coupon.id(), coupon.revision())) {
      create(coupon);
    }
  }

  /**
   * Does what an earlier definition could not.
   *
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if the database could not be
   *     asked
   */
  public void catchUp() {
    for (var coupon : coupons.notYetInStock(COUPONS_A_ROUND)) {
      try {
        create(coupon);
      } catch (StockUnavailableException e) {
        observer.roundFailed("creating stock", e);
      }
    }
  }

  private void create(Coupon coupon) {
    stock.create(epochs.address(coupon), StockTerms.of(coupon));
    coupons.nowInStock(coupon.id(), coupon.revision());
  }
}
