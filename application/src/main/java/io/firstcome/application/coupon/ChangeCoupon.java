package io.firstcome.application.coupon;

import io.firstcome.application.stock.StockSync;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponChange;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.port.CouponRepository;
import io.firstcome.domain.usercoupon.Actor;
import java.time.InstantSource;
import java.util.function.Function;

/**
 * An operator pauses, resumes or closes a coupon, or raises its quantity.
 *
 * <p>The change is committed first and then applied to the stock; after a crash in between, {@link
 * StockSync#catchUp()} applies it.
 */
public final class ChangeCoupon {

  /** Each failed try means that another operator's change succeeded. */
  private static final int MAX_TRIES = 20;

  private final CouponRepository coupons;
  private final CouponCatalog catalog;
  private final StockSync stockSync;
  private final InstantSource clock;

  public ChangeCoupon(
      CouponRepository coupons, CouponCatalog catalog, StockSync stockSync, InstantSource clock) {
    this.coupons = coupons;
    this.catalog = catalog;
    this.stockSync = stockSync;
    this.clock = clock;
  }

  /** The result of an operator's request. */
  public sealed interface Result {

    /** The change is made, by this call or before, in the database and in the stock. */
    record Done(Coupon coupon) implements Result {}

    /** The change is not possible; nothing changed. */
    record Refused(CouponChange.Refused.Reason reason) implements Result {}

    /** Each attempt met a concurrent change of the coupon; nothing changed. */
    record ConcurrentChange() implements Result {}

    /** There is no such coupon. */
    record Unknown() implements Result {}
  }

  /**
   * Changes the coupon, and returns once new claims see the change. A retry is safe.
   *
   * @param requested one of the changes that {@link Coupon} offers
   * @throws io.firstcome.domain.port.StockUnavailableException if the change is committed and the
   *     stock may not have it yet; it is applied automatically later
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if the database did not confirm
   *     the commit
   */
  public Result change(CouponId couponId, Function<Coupon, CouponChange> requested, Actor actor) {
    for (int i = 0; i < MAX_TRIES; i++) {
      var stored = coupons.find(couponId);
      if (stored.isEmpty()) {
        return new Result.Unknown();
      }
      switch (requested.apply(stored.get())) {
        case CouponChange.Refused(var reason) -> {
          return new Result.Refused(reason);
        }
        case CouponChange.AlreadySo() -> {
          return done(stored.get());
        }
        case CouponChange.Changed change -> {
          if (coupons.change(change, actor, clock.instant())) {
            return done(change.coupon());
          }
        }
      }
    }
    return new Result.ConcurrentChange();
  }

  private Result done(Coupon coupon) {
    catalog.remember(coupon);
    return new Result.Done(stockSync.ensure(coupon));
  }
}
