package io.firstcome.application;

import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponChange;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.port.CouponRepository;
import io.firstcome.domain.port.StockUnavailableException;
import io.firstcome.domain.usercoupon.Actor;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;

/**
 * An operator archives a closed coupon: its stock goes, and the database answers for it.
 *
 * <p>What only the stock knows would be lost, so nothing may be open: see {@link LookWhatIsOpen}.
 * What may still come after that look, a user coupon that is given back or a late claim of data
 * that were lost before, comes to its end without a stock. The change is committed first, and the
 * stock is removed by {@link BringToStock}, by any instance.
 */
public final class ArchiveCoupon {

  /** Each try that fails is another operator's that succeeded. */
  private static final int MAX_TRIES = 20;

  private final CouponRepository coupons;
  private final CouponCatalog catalog;
  private final LookWhatIsOpen lookWhatIsOpen;
  private final BringToStock bringToStock;
  private final InstantSource clock;

  public ArchiveCoupon(
      CouponRepository coupons,
      CouponCatalog catalog,
      LookWhatIsOpen lookWhatIsOpen,
      BringToStock bringToStock,
      InstantSource clock) {
    this.coupons = coupons;
    this.catalog = catalog;
    this.lookWhatIsOpen = lookWhatIsOpen;
    this.bringToStock = bringToStock;
    this.clock = clock;
  }

  /** What became of an operator's wish. */
  public sealed interface Result {

    /** It is archived now, or was before, and its stock is gone. */
    record Archived(Coupon coupon) implements Result {}

    /** It cannot be archived; nothing changed. */
    record Refused(CouponChange.Refused.Reason reason) implements Result {}

    /** It can be archived when these are done; nothing changed. */
    record NotSettled(Set<LookWhatIsOpen.Open> open) implements Result {}

    /** The stock cannot be asked whether anything is open; nothing changed. */
    record StockAway() implements Result {}

    /** Others changed the coupon again and again; nothing changed by this wish. */
    record Overtaken() implements Result {}

    /** There is no such coupon. */
    record Unknown() implements Result {}
  }

  /**
   * Archives the coupon if it is settled, and returns when its stock is gone. Asking again is safe.
   *
   * @throws StockUnavailableException if the change is committed and the stock is not gone yet; it
   *     follows by itself
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if the database did not say that
   *     it is committed
   */
  public Result archive(CouponId couponId, Actor actor) {
    for (int i = 0; i < MAX_TRIES; i++) {
      var stored = coupons.find(couponId).orElse(null);
      if (stored == null) {
        return new Result.Unknown();
      }
      switch (stored.archive()) {
        case CouponChange.Refused(var reason) -> {
          return new Result.Refused(reason);
        }
        case CouponChange.AlreadySo() -> {
          return archived(stored);
        }
        case CouponChange.Changed change -> {
          var refusal = refusal(stored);
          if (refusal.isEmpty()) {
            if (coupons.change(change, actor, clock.instant())) {
              return archived(change.coupon());
            }
          } else if (coupons.find(couponId).equals(Optional.of(stored))) {
            return refusal.get();
          }
          // Else another operator was first, and the stock went while it was looked at.
        }
      }
    }
    return new Result.Overtaken();
  }

  private Optional<Result> refusal(Coupon closed) {
    try {
      var open = lookWhatIsOpen.look(closed);
      return open.isEmpty() ? Optional.empty() : Optional.of(new Result.NotSettled(open));
    } catch (StockUnavailableException e) {
      return Optional.of(new Result.StockAway());
    }
  }

  private Result archived(Coupon coupon) {
    catalog.remember(coupon);
    bringToStock.ensure(coupon);
    return new Result.Archived(coupon);
  }
}
