package io.firstcome.application.stock;

import io.firstcome.application.paging.Pages;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.CouponStatus;
import io.firstcome.domain.coupon.StockBackend;
import io.firstcome.domain.issuance.StockTerms;
import io.firstcome.domain.observation.ConsistencyObservation;
import io.firstcome.domain.observation.IssuanceObserver;
import io.firstcome.domain.observation.OperationObservation;
import io.firstcome.domain.port.CouponRepository;
import io.firstcome.domain.port.CouponStock;
import io.firstcome.domain.port.DatabaseLockedException;
import io.firstcome.domain.port.DatabaseUnavailableException;
import io.firstcome.domain.port.ServerUnavailableException;
import io.firstcome.domain.port.ServerUnavailableException.Effect;
import io.firstcome.domain.port.StockFencedException;
import io.firstcome.domain.port.StockUnavailableException;
import java.time.InstantSource;
import java.util.Optional;

/**
 * Applies changes of coupons in the database to the stock: creates the stock of new ones, updates
 * it, and removes that of archived ones.
 *
 * <p>Until that is done, the coupon's revision in the database is ahead of the one noted as applied
 * to the stock, so any instance can continue after a crash. A retry is safe: the stock accepts only
 * newer terms, and is created only if the database says that it never was, since a second creation
 * would allocate its slots again. A removal is final: terms or a creation in flight do not restore
 * the stock.
 *
 * <p>The database has precedence. A change is committed there first, so if a stock has a revision
 * which the row does not have, or other terms in the same one, the database has lost changes. Then
 * the row's revision is raised above that of the stock, and its terms are applied again.
 */
public final class StockSync {

  private static final int COUPONS_A_PAGE = 100;
  private static final int FIRST_REVISION = 1;

  /** Each failed try means that a concurrent change succeeded. */
  private static final int MAX_TRIES = 20;

  private final CouponRepository coupons;
  private final CouponStock stock;
  private final KnownEpochs epochs;
  private final EndLeases endLeases;
  private final InstantSource clock;
  private final IssuanceObserver observer;

  public StockSync(
      CouponRepository coupons,
      CouponStock stock,
      KnownEpochs epochs,
      EndLeases endLeases,
      InstantSource clock,
      IssuanceObserver observer) {
    this.coupons = coupons;
    this.stock = stock;
    this.epochs = epochs;
    this.endLeases = endLeases;
    this.clock = clock;
    this.observer = observer;
  }

  /**
   * Ensures that claims are decided by the terms of the coupon, or by those of a later change: the
   * stock has them, and no instance uses a lease that was granted before. Always calls the stock,
   * as the note of a database that was set back may be wrong.
   *
   * @param coupon as it is stored
   * @return the coupon as the stock has it now: the same one, unless another change was found or
   *     its revision was raised
   * @throws StockUnavailableException if the stock is not reachable, or the database is not, to
   *     read or write the note
   */
  public Coupon ensure(Coupon coupon) {
    try {
      return coupon.status() == CouponStatus.ARCHIVED
              && coupons.isApplied(coupon.id(), coupon.revision())
          ? coupon
          : apply(coupon);
    } catch (DatabaseUnavailableException e) {
      // Not the database's own exception, which would mean to a caller that nothing is stored.
      throw new StockUnavailableException(Effect.UNKNOWN, "the stock may be out of date", e);
    }
  }

  /**
   * Applies the changes that are not applied yet, of any instance. A coupon that fails does not
   * delay others.
   *
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if the database is not reachable
   */
  public void catchUp() {
    var passedOver = new PassedOver();
    Pages.<Coupon, CouponId>forEach(
        after -> coupons.unapplied(after, COUPONS_A_PAGE),
        Coupon::id,
        page -> page.forEach(coupon -> catchUp(coupon, passedOver)));
  }

  private void catchUp(Coupon coupon, PassedOver passedOver) {
    if (!passedOver.contains(coupon)) {
      try {
        apply(coupon);
      } catch (StockUnavailableException | DatabaseLockedException e) {
        passedOver.add(coupon, e);
        observer.observe(new OperationObservation.RoundFailed("applying coupon changes", e));
      }
    }
  }

  private Coupon apply(Coupon stored) {
    var coupon = stored;
    for (int i = 0; i < MAX_TRIES; i++) {
      var inStock = applyOnce(coupon);
      if (inStock.isEmpty() || inStock.get().equals(StockTerms.of(coupon))) {
        // Until then other instances may refuse claims by the former terms.
        endLeases.awaitEnd(coupon);
        coupons.noteApplied(coupon.id(), coupon.revision());
        return coupon;
      }
      coupon = next(coupon, inStock.get());
    }
    throw new StockUnavailableException(
        Effect.UNKNOWN, "too many concurrent changes of the coupon", null);
  }

  /**
   * Reads the epoch first. So a decision by the database's data has no effect once a recovery has
   * begun, and a creation after a concurrent removal is refused.
   *
   * @return the terms that the stock has; empty for an archived coupon, which has no stock
   */
  private Optional<StockTerms> applyOnce(Coupon coupon) {
    var address = epochs.address(coupon);
    if (coupon.status() == CouponStatus.ARCHIVED) {
      stock.remove(address);
      return Optional.empty();
    }
    var terms = StockTerms.of(coupon);
    // An existing stock may have an earlier revision, although its creation was not noted.
    if (!coupons.isApplied(coupon.id(), FIRST_REVISION)) {
      requireLedgersOfCampaign(coupon);
      stock.create(address, coupon.campaign(), terms);
    }
    return Optional.of(stock.apply(address, terms));
  }

  /**
   * Checks that the stock has the ledgers of the other coupons of the campaign, which a claim of
   * this one reads. A recovery that could not rebuild one of them has opened the partition
   * nevertheless. The stock is created in the epoch in which this is checked, or not at all.
   *
   * @throws StockFencedException if the ledger of one of them is missing, or its row cannot be read
   */
  private void requireLedgersOfCampaign(Coupon coupon) {
    var campaign = coupon.campaign();
    if (campaign == null || coupon.stockBackend() == StockBackend.POSTGRES) {
      return;
    }
    for (var couponId : campaign.others(coupon.id())) {
      find(couponId)
          .filter(Coupon::hasStock)
          .filter(other -> coupons.isApplied(other.id(), FIRST_REVISION))
          .ifPresent(other -> stock.terms(epochs.address(other)));
    }
  }

  private Optional<Coupon> find(CouponId couponId) {
    try {
      return coupons.find(couponId);
    } catch (ServerUnavailableException e) {
      throw e;
    } catch (RuntimeException e) {
      observer.observe(new ConsistencyObservation.CouponUnreadable(couponId.value(), e));
      throw new StockFencedException("the row of coupon %s cannot be read".formatted(couponId));
    }
  }

  /**
   * What is to be applied instead of a coupon whose terms the stock did not accept: a later change,
   * or the same terms in a revision above that of the stock. The row is read after the stock, so
   * that it has every change that the stock has.
   */
  private Coupon next(Coupon coupon, StockTerms inStock) {
    var stored =
        coupons
            .find(coupon.id())
            .orElseThrow(() -> new IllegalStateException("no such coupon: " + coupon.id()));
    if (stored.status() == CouponStatus.ARCHIVED
        || stored.revision() > inStock.revision()
        || StockTerms.of(stored).equals(inStock)) {
      return stored;
    }
    var raised = stored.withRevision(inStock.revision() + 1);
    if (!coupons.raiseRevision(stored, raised.revision(), clock.instant())) {
      return stored;
    }
    observer.observe(
        new ConsistencyObservation.RevisionRaised(
            coupon.id(), inStock.revision(), raised.revision()));
    return raised;
  }
}
