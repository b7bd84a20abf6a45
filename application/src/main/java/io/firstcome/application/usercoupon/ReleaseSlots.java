package io.firstcome.application.usercoupon;

import io.firstcome.application.coupon.CouponCatalog;
import io.firstcome.application.paging.Pages;
import io.firstcome.application.stock.EndLeases;
import io.firstcome.application.stock.KnownEpochs;
import io.firstcome.application.stock.PassedOver;
import io.firstcome.domain.issuance.ReleaseOutcome;
import io.firstcome.domain.observation.IssuanceObserver;
import io.firstcome.domain.observation.OperationObservation;
import io.firstcome.domain.port.CouponStock;
import io.firstcome.domain.port.DatabaseLockedException;
import io.firstcome.domain.port.ServerUnavailableException;
import io.firstcome.domain.port.SlotReturns;
import io.firstcome.domain.port.StockFencedException;
import io.firstcome.domain.port.StockUnavailableException;
import io.firstcome.domain.usercoupon.UserCoupon;
import java.util.function.Function;

/**
 * Releases returned slots in the stock, so that they can be claimed again.
 *
 * <p>The database records first that a slot is returned, and keeps that as a work item until the
 * slot can be claimed; so any instance can continue after a crash. A retry is safe: the stock frees
 * a slot for each of its owners at most once. If a recovery has rebuilt the stock meanwhile, the
 * slot is free already. An archived coupon has no stock: its slots are not released, and their work
 * items end.
 */
public final class ReleaseSlots {

  private static final String ROUND = "releasing slots";

  private final CouponCatalog catalog;
  private final SlotReturns slotReturns;
  private final CouponStock stock;
  private final KnownEpochs epochs;
  private final EndLeases endLeases;
  private final IssuanceObserver observer;
  private final UserCouponLimits limits;

  public ReleaseSlots(
      CouponCatalog catalog,
      SlotReturns slotReturns,
      CouponStock stock,
      KnownEpochs epochs,
      EndLeases endLeases,
      UserCouponLimits limits,
      IssuanceObserver observer) {
    this.catalog = catalog;
    this.slotReturns = slotReturns;
    this.stock = stock;
    this.epochs = epochs;
    this.endLeases = endLeases;
    this.limits = limits;
    this.observer = observer;
  }

  /**
   * Releases the slots that are not released yet, of any instance. Skips a whole stock that does
   * not answer, and a single coupon that has no stock now.
   *
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if the database is not reachable
   */
  public void catchUp() {
    var passedOver = new PassedOver();
    Pages.<UserCoupon, UserCoupon>forEach(
        after -> slotReturns.pending(after, limits.returnPage()),
        Function.identity(),
        page -> page.forEach(userCoupon -> catchUp(userCoupon, passedOver)));
  }

  private void catchUp(UserCoupon userCoupon, PassedOver passedOver) {
    var coupon = catalog.of(userCoupon);
    if (!passedOver.contains(coupon)) {
      try {
        release(userCoupon);
      } catch (StockUnavailableException | DatabaseLockedException e) {
        passedOver.add(coupon, e);
        observer.observe(new OperationObservation.RoundFailed(ROUND, e));
      }
    }
  }

  /**
   * Releases the slot that a recorded step returned, if any. A failure is left to {@link #catchUp}:
   * the step is recorded, and its answer does not depend on this.
   */
  void releaseSoon(UserCouponAnswer<ReturnRefusal> answer) {
    if (answer instanceof UserCouponAnswer.Done<ReturnRefusal>(UserCoupon done)
        && done.slotWentBack()) {
      try {
        release(done);
      } catch (ServerUnavailableException e) {
        observer.observe(new OperationObservation.RoundFailed(ROUND, e));
      }
    }
  }

  private void release(UserCoupon userCoupon) {
    var coupon = catalog.of(userCoupon);
    try {
      var outcome =
          stock.release(
              epochs.address(coupon),
              userCoupon.userId(),
              userCoupon.slot(),
              userCoupon.ownership().generation());
      if (outcome instanceof ReleaseOutcome.Withheld) {
        // The work item stays, so that another instance ends the lease if this one does not.
        endLeases.endLater(coupon);
        return;
      }
    } catch (StockFencedException e) {
      if (!catalog.isArchived(coupon)) {
        throw e;
      }
    }
    slotReturns.noteReleased(userCoupon.id());
  }
}
