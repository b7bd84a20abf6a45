package io.firstcome.application;

import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.issuance.StockLevel;
import io.firstcome.domain.port.CouponRepository;
import io.firstcome.domain.port.CouponStock;
import io.firstcome.domain.port.StockUnavailableException;
import java.util.Optional;

/** Anybody looks at a coupon. */
public final class ReadCoupon {

  private final CouponRepository coupons;
  private final CouponStock stock;
  private final KnownEpochs epochs;

  public ReadCoupon(CouponRepository coupons, CouponStock stock, KnownEpochs epochs) {
    this.coupons = coupons;
    this.stock = stock;
    this.epochs = epochs;
  }

  /**
   * A coupon as it is now.
   *
   * @param level what is left, or empty if the stock cannot be asked at the moment
   */
  public record View(Coupon coupon, Optional<StockLevel> level) {}

  /**
   * The coupon of that id.
   *
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if the database could not be
   *     asked
   */
  public Optional<View> read(CouponId couponId) {
    return coupons.find(couponId).map(coupon -> new View(coupon, level(coupon)));
  }

  private Optional<StockLevel> level(Coupon coupon) {
    try {
      return Optional.of(stock.level(epochs.address(coupon)));
    } catch (StockUnavailableException e) {
      return Optional.empty();
    }
  }
}
