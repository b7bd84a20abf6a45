package io.firstcome.application;

import io.firstcome.domain.port.CouponStock;
import io.firstcome.domain.port.DatabaseLockedException;
import io.firstcome.domain.port.IssuanceObserver;
import io.firstcome.domain.port.ServerUnavailableException;
import io.firstcome.domain.port.SlotReturns;
import io.firstcome.domain.port.StockFencedException;
import io.firstcome.domain.port.StockUnavailableException;
import io.firstcome.domain.usercoupon.UserCoupon;
import io.firstcome.domain.usercoupon.UserCouponId;

/**
 * Lets the slots that went back be claimed again, in the stock.
 *
 * <p>The database says first that a slot went back, and keeps that as a work item until the stock
 * has it; so a crash between the two heals, by any instance. Repeating it is safe: the stock frees
 * a slot for each of its owners at most once. Where a recovery has rebuilt the stock meanwhile, the
 * slot is free already. An archived coupon has no stock: its slots stay where they are, and are
 * done with.
 */
public final class ReleaseSlots {

  private static final String ROUND = "releasing slots";

  private final CouponCatalog catalog;
  private final SlotReturns slotReturns;
  private final CouponStock stock;
  private final KnownEpochs epochs;
  private final IssuanceObserver observer;
  private final ApplicationLimits limits;

  public ReleaseSlots(
      CouponCatalog catalog,
      SlotReturns slotReturns,
      CouponStock stock,
      KnownEpochs epochs,
      ApplicationLimits limits,
      IssuanceObserver observer) {
    this.catalog = catalog;
    this.slotReturns = slotReturns;
    this.stock = stock;
    this.epochs = epochs;
    this.limits = limits;
    this.observer = observer;
  }

  /**
   * Does what was left undone, by any instance. A stock that does not answer is passed over, and a
   * coupon that has none now alone.
   *
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if the database is away
   */
  public void catchUp() {
    var passedOver = new PassedOver();
    Pages.<UserCoupon, UserCouponId>forEach(
        after -> slotReturns.pending(after, limits.pageSize()),
        UserCoupon::id,
        page -> page.forEach(userCoupon -> catchUp(userCoupon, passedOver)));
  }

  private void catchUp(UserCoupon userCoupon, PassedOver passedOver) {
    var coupon = catalog.of(userCoupon);
    if (!passedOver.contains(coupon)) {
      try {
        release(userCoupon);
      } catch (StockUnavailableException | DatabaseLockedException e) {
        passedOver.add(coupon, e);
        observer.roundFailed(ROUND, e);
      }
    }
  }

  /**
   * Releases the slot that went back by a step just taken, if any. What fails is left to {@link
   * #catchUp}: the step is recorded, and its answer does not depend on this.
   */
  void releaseSoon(UserCouponAnswer answer) {
    if (answer instanceof UserCouponAnswer.Done(UserCoupon done) && done.slotWentBack()) {
      try {
        release(done);
      } catch (ServerUnavailableException e) {
        observer.roundFailed(ROUND, e);
      }
    }
  }

  private void release(UserCoupon userCoupon) {
    var coupon = catalog.of(userCoupon);
    try {
      stock.release(
          epochs.address(coupon),
          userCoupon.userId(),
          userCoupon.slot(),
          userCoupon.ownership().generation());
    } catch (StockFencedException e) {
      if (!catalog.isArchived(coupon)) {
        throw e;
      }
    }
    slotReturns.nowInStock(userCoupon.id());
  }
}
