package io.firstcome.application.archive;

import io.firstcome.application.coupon.CouponCatalog;
import io.firstcome.application.stock.StockSync;
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
 * An operator archives a closed coupon: its stock is removed, and only the database has its data.
 *
 * <p>Data that only the stock has would be lost, so {@link ArchivePreconditions} are checked first.
 * What may still come after that check, a returned user coupon or a late claim from an earlier loss
 * of data, is settled without a stock. The change is committed first; then any instance removes the
 * stock by {@link StockSync}.
 */
public final class ArchiveCoupon {

  /** Each failed try means that another operator's change succeeded. */
  private static final int MAX_TRIES = 20;

  private final CouponRepository coupons;
  private final CouponCatalog catalog;
  private final ArchivePreconditions archivePreconditions;
  private final StockSync stockSync;
  private final InstantSource clock;

  public ArchiveCoupon(
      CouponRepository coupons,
      CouponCatalog catalog,
      ArchivePreconditions archivePreconditions,
      StockSync stockSync,
      InstantSource clock) {
    this.coupons = coupons;
    this.catalog = catalog;
    this.archivePreconditions = archivePreconditions;
    this.stockSync = stockSync;
    this.clock = clock;
  }

  /** The result of an operator's request. */
  public sealed interface Result {

    /** It is archived now, or was before, and its stock is gone. */
    record Archived(Coupon coupon) implements Result {}

    /** It cannot be archived; nothing changed. */
    record Refused(CouponChange.Refused.Reason reason) implements Result {}

    /** It can be archived when these are done; nothing changed. */
    record NotSettled(Set<ArchivePreconditions.Open> open) implements Result {}

    /** The stock is not reachable, so the preconditions are unknown; nothing changed. */
    record StockUnreachable() implements Result {}

    /** Each attempt met a concurrent change of the coupon; nothing changed. */
    record ConcurrentChange() implements Result {}

    /** There is no such coupon. */
    record Unknown() implements Result {}
  }

  /**
   * Archives the coupon if it is settled, and returns when its stock is gone. A retry is safe.
   *
   * @throws StockUnavailableException if the change is committed and the stock is not gone yet; it
   *     is removed automatically later
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if the database did not confirm
   *     the commit
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
          // Otherwise another operator was first, and the stock was removed during the check.
        }
      }
    }
    return new Result.ConcurrentChange();
  }

  private Optional<Result> refusal(Coupon closed) {
    try {
      var open = archivePreconditions.look(closed);
      if (closed.id().isOfRehearsal()) {
        // The result of the rehearsal names them, and no customer has a coupon of the clone.
        open.remove(ArchivePreconditions.Open.DISCREPANCIES);
      }
      return open.isEmpty() ? Optional.empty() : Optional.of(new Result.NotSettled(open));
    } catch (StockUnavailableException e) {
      return Optional.of(new Result.StockUnreachable());
    }
  }

  private Result archived(Coupon coupon) {
    catalog.remember(coupon);
    stockSync.ensure(coupon);
    return new Result.Archived(coupon);
  }
}
