package io.firstcome.application;

import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.CouponStatus;
import io.firstcome.domain.issuance.StockTerms;
import io.firstcome.domain.port.CouponRepository;
import io.firstcome.domain.port.CouponStock;
import io.firstcome.domain.port.DatabaseLockedException;
import io.firstcome.domain.port.DatabaseUnavailableException;
import io.firstcome.domain.port.IssuanceObserver;
import io.firstcome.domain.port.ServerUnavailableException.Effect;
import io.firstcome.domain.port.StockUnavailableException;
import java.time.InstantSource;
import java.util.Optional;

/**
 * Brings to the stock what the database says of coupons: new ones, operators' changes, and that one
 * is archived, of which the stock keeps nothing.
 *
 * <p>The database's revision of a coupon is ahead of what it knows the stock to have until this is
 * done, by whichever instance; so a crash between the two heals. Repeating it is safe: the stock
 * takes terms only if they are newer, and is created only where the database says that it never
 * was, since creating it a second time would hand out its slots again. Removed is for good: neither
 * terms nor a creation that were under way bring anything back.
 *
 * <p>The database is the operators' word. A change is committed there first, so a stock that has a
 * revision which the row does not have, or other terms in the same one, says that the database has
 * lost changes. Then the row's revision is raised above that of the stock, and its terms are
 * brought again.
 */
public final class BringToStock {

  private static final int COUPONS_A_PAGE = 100;
  private static final int FIRST_REVISION = 1;

  /** Each try that fails is another change that succeeded. */
  private static final int MAX_TRIES = 20;

  private final CouponRepository coupons;
  private final CouponStock stock;
  private final KnownEpochs epochs;
  private final InstantSource clock;
  private final IssuanceObserver observer;

  public BringToStock(
      CouponRepository coupons,
      CouponStock stock,
      KnownEpochs epochs,
      InstantSource clock,
      IssuanceObserver observer) {
    this.coupons = coupons;
    this.stock = stock;
    this.epochs = epochs;
    this.clock = clock;
    this.observer = observer;
  }

  /**
   * Sees to it that the stock has the terms of the coupon, or those of a change that came later.
   * The stock itself is asked, as a database that was set back may say wrongly that it has them.
   *
   * @param coupon as it is stored
   * @return the coupon as the stock has it now: the same one, unless another change was found or
   *     its revision was raised
   * @throws StockUnavailableException if the stock could not be reached, or the database to learn
   *     or to note that the stock has it
   */
  Coupon ensure(Coupon coupon) {
    try {
      return coupon.status() == CouponStatus.ARCHIVED
              && coupons.isInStock(coupon.id(), coupon.revision())
          ? coupon
          : bring(coupon);
    } catch (DatabaseUnavailableException e) {
      // Not the database's own exception: to a caller it would say that nothing is stored.
      throw new StockUnavailableException(Effect.UNKNOWN, "the stock may not have it yet", e);
    }
  }

  /**
   * Does what was left undone, by any instance. A coupon that cannot be brought holds up no other.
   *
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if the database could not be
   *     asked
   */
  public void catchUp() {
    var passedOver = new PassedOver();
    Pages.<Coupon, CouponId>forEach(
        after -> coupons.notYetInStock(after, COUPONS_A_PAGE),
        Coupon::id,
        page -> page.forEach(coupon -> catchUp(coupon, passedOver)));
  }

  private void catchUp(Coupon coupon, PassedOver passedOver) {
    if (!passedOver.contains(coupon)) {
      try {
        bring(coupon);
      } catch (StockUnavailableException | DatabaseLockedException e) {
        passedOver.add(coupon, e);
        observer.roundFailed("bringing to stock", e);
      }
    }
  }

  private Coupon bring(Coupon stored) {
    var coupon = stored;
    for (int i = 0; i < MAX_TRIES; i++) {
      var inStock = bringOnce(coupon);
      if (inStock.isEmpty() || inStock.get().equals(StockTerms.of(coupon))) {
        coupons.nowInStock(coupon.id(), coupon.revision());
        return coupon;
      }
      coupon = next(coupon, inStock.get());
    }
    throw new StockUnavailableException(
        Effect.UNKNOWN, "other changes come first again and again", null);
  }

  /**
   * The epoch is read first. So what is decided by the database's word is void once a recovery has
   * begun, and a creation that comes when the coupon was removed meanwhile meets that removal.
   *
   * @return the terms that the stock has; empty for an archived coupon, which has no stock
   */
  private Optional<StockTerms> bringOnce(Coupon coupon) {
    var address = epochs.address(coupon);
    if (coupon.status() == CouponStatus.ARCHIVED) {
      stock.remove(address);
      return Optional.empty();
    }
    var terms = StockTerms.of(coupon);
    // Stock that is there may be of an earlier revision, though it was not noted that it is there.
    if (!coupons.isInStock(coupon.id(), FIRST_REVISION)) {
      stock.create(address, terms);
    }
    return Optional.of(stock.apply(address, terms));
  }

  /**
   * What is to be brought instead of a coupon whose terms the stock did not take: a later change,
   * or the same terms in a revision above that of the stock. The row is read after the stock, so
   * that a change which the stock has is seen in the row.
   */
  private Coupon next(Coupon coupon, StockTerms inStock) {
    var stored =
        coupons
            .find(coupon.id())
            .orElseThrow(() -> new IllegalStateException("vanished: coupon " + coupon.id()));
    if (stored.status() == CouponStatus.ARCHIVED
        || stored.revision() > inStock.revision()
        || StockTerms.of(stored).equals(inStock)) {
      return stored;
    }
    var raised = stored.withRevision(inStock.revision() + 1);
    if (!coupons.raiseRevision(stored, raised.revision(), clock.instant())) {
      return stored;
    }
    observer.revisionRaised(coupon.id(), inStock.revision(), raised.revision());
    return raised;
  }
}
