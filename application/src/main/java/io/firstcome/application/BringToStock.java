package io.firstcome.application;

import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponStatus;
import io.firstcome.domain.issuance.StockAddress;
import io.firstcome.domain.issuance.StockTerms;
import io.firstcome.domain.port.CouponRepository;
import io.firstcome.domain.port.CouponStock;
import io.firstcome.domain.port.DatabaseUnavailableException;
import io.firstcome.domain.port.IssuanceObserver;
import io.firstcome.domain.port.ServerUnavailableException.Effect;
import io.firstcome.domain.port.StockUnavailableException;

/**
 * Brings to the stock what the database says of coupons: new ones, operators' changes, and that one
 * is archived, of which the stock keeps nothing.
 *
 * <p>The database's revision of a coupon is ahead of what it knows the stock to have until this is
 * done, by whichever instance; so a crash between the two heals. Repeating it is safe: the stock
 * takes terms only if they are newer, and is created only where the database says that it never
 * was, since creating it a second time would hand out its slots again. Removed is for good: neither
 * terms nor a creation that were under way bring anything back.
 */
public final class BringToStock {

  private static final int COUPONS_A_ROUND = 100;
  private static final int FIRST_REVISION = 1;

  private final CouponRepository coupons;
  private final CouponStock stock;
  private final KnownEpochs epochs;
  private final IssuanceObserver observer;

  public BringToStock(
      CouponRepository coupons, CouponStock stock, KnownEpochs epochs, IssuanceObserver observer) {
    this.coupons = coupons;
    this.stock = stock;
    this.epochs = epochs;
    this.observer = observer;
  }

  /**
   * Sees to it that the stock has this revision of the coupon, or a later one.
   *
   * @param coupon as it is stored
   * @throws StockUnavailableException if the stock could not be reached, or the database to learn
   *     or to note that the stock has it
   */
  void ensure(Coupon coupon) {
    try {
      if (!coupons.isInStock(coupon.id(), coupon.revision())) {
        bring(coupon);
      }
    } catch (DatabaseUnavailableException e) {
      // Not the database's own exception: to a caller it would say that nothing is stored.
      throw new StockUnavailableException(Effect.UNKNOWN, "the stock may not have it yet", e);
    }
  }

  /**
   * Does what was left undone, by any instance.
   *
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if the database could not be
   *     asked
   */
  public void catchUp() {
    for (var coupon : coupons.notYetInStock(COUPONS_A_ROUND)) {
      try {
        bring(coupon);
      } catch (StockUnavailableException e) {
        observer.roundFailed("bringing to stock", e);
      }
    }
  }

  /**
   * The epoch is read first. So what is decided by the database's word is void once a recovery has
   * begun, and a creation that comes when the coupon was removed meanwhile meets that removal.
   */
  private void bring(Coupon coupon) {
    var address = epochs.address(coupon);
    if (coupon.status() == CouponStatus.ARCHIVED) {
      stock.remove(address);
    } else {
      bring(StockTerms.of(coupon), address);
    }
    coupons.nowInStock(coupon.id(), coupon.revision());
  }

  /** Stock that is there may be of an earlier revision, though nobody noted that it is there. */
  private void bring(StockTerms terms, StockAddress address) {
    if (!coupons.isInStock(address.couponId(), FIRST_REVISION)) {
      stock.create(address, terms);
    }
    stock.apply(address, terms);
  }
}
