package io.firstcome.application.stock;

import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.port.CouponStock;
import io.firstcome.domain.port.StockUnavailableException;
import java.util.Optional;

/** Reads how many slots of a coupon can still be claimed. */
public final class FreeSlots {

  private final CouponStock stock;
  private final KnownEpochs epochs;

  public FreeSlots(CouponStock stock, KnownEpochs epochs) {
    this.stock = stock;
    this.epochs = epochs;
  }

  /** Empty if the stock is not available, or the coupon is a draft; 0 if it is archived. */
  public Optional<Integer> of(Coupon coupon) {
    return of(coupon, new PassedOver());
  }

  /**
   * Like {@link #of(Coupon)}, as one of many: empty too if the coupon was passed over after an
   * earlier failure.
   *
   * @param passedOver what is skipped after this read is added to it
   */
  public Optional<Integer> of(Coupon coupon, PassedOver passedOver) {
    if (!coupon.hasStock()) {
      return coupon.isPublished() ? Optional.of(0) : Optional.empty();
    }
    if (passedOver.contains(coupon)) {
      return Optional.empty();
    }
    try {
      return Optional.of(stock.level(epochs.address(coupon)).free());
    } catch (StockUnavailableException e) {
      passedOver.add(coupon, e);
      return Optional.empty();
    }
  }
}
