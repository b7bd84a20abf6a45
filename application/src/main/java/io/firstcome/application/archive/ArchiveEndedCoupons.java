package io.firstcome.application.archive;

import io.firstcome.application.coupon.ChangeCoupon;
import io.firstcome.application.paging.Pages;
import io.firstcome.application.stock.PassedOver;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponChange;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.observation.IssuanceObserver;
import io.firstcome.domain.observation.OperationObservation;
import io.firstcome.domain.port.CouponRepository;
import io.firstcome.domain.port.DatabaseLockedException;
import io.firstcome.domain.port.StockUnavailableException;
import io.firstcome.domain.usercoupon.Actor;
import java.time.InstantSource;

/**
 * Closes and archives coupons by themselves when the time that their definition states has passed
 * since every user coupon of them has ended. One that is not settled yet is tried again in the next
 * round, and does not delay others.
 */
public final class ArchiveEndedCoupons {

  private static final int COUPONS_A_PAGE = 100;

  private final CouponRepository coupons;
  private final ChangeCoupon changeCoupon;
  private final ArchiveCoupon archiveCoupon;
  private final InstantSource clock;
  private final IssuanceObserver observer;

  public ArchiveEndedCoupons(
      CouponRepository coupons,
      ChangeCoupon changeCoupon,
      ArchiveCoupon archiveCoupon,
      InstantSource clock,
      IssuanceObserver observer) {
    this.coupons = coupons;
    this.changeCoupon = changeCoupon;
    this.archiveCoupon = archiveCoupon;
    this.clock = clock;
    this.observer = observer;
  }

  /**
   * Archives those that are due.
   *
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if the database is not reachable
   */
  public void archiveDue() {
    var now = clock.instant();
    var passedOver = new PassedOver();
    Pages.<Coupon, CouponId>forEach(
        after -> coupons.dueForArchive(now, after, COUPONS_A_PAGE),
        Coupon::id,
        page -> page.forEach(coupon -> archive(coupon, passedOver)));
  }

  /** An operator may have extended it since it was found. */
  private CouponChange closeIfDue(Coupon coupon) {
    boolean isDue = coupon.archivedFrom().filter(due -> !due.isAfter(clock.instant())).isPresent();
    return isDue
        ? coupon.close()
        : new CouponChange.Refused(CouponChange.Refused.Reason.NOT_CLOSED);
  }

  private void archive(Coupon coupon, PassedOver passedOver) {
    if (passedOver.contains(coupon)) {
      return;
    }
    try {
      var closed = changeCoupon.change(coupon.id(), this::closeIfDue, Actor.TIME);
      if (closed instanceof ChangeCoupon.Result.Done) {
        archiveCoupon.archive(coupon.id(), Actor.TIME);
      }
    } catch (StockUnavailableException | DatabaseLockedException e) {
      passedOver.add(coupon, e);
      observer.observe(new OperationObservation.RoundFailed("archiving ended coupons", e));
    }
  }
}
