package io.firstcome.application;

import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponChange;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.port.CouponRepository;
import io.firstcome.domain.usercoupon.Actor;
import java.time.InstantSource;
import java.util.function.Function;

/**
 * An operator pauses, resumes or closes a coupon, or adds pieces to it.
 *
 * <p>The change is committed first and brought to the stock then; a crash in between leaves the
 * coupon among those that {@link BringToStock#catchUp()} cares for.
 */
public final class ChangeCoupon {

  /** Each try that fails is another operator's that succeeded. */
  private static final int MAX_TRIES = 20;

  private final CouponRepository coupons;
  private final BringToStock bringToStock;
  private final InstantSource clock;

  public ChangeCoupon(CouponRepository coupons, BringToStock bringToStock, InstantSource clock) {
    this.coupons = coupons;
    this.bringToStock = bringToStock;
    this.clock = clock;
  }

  /** What became of an operator's wish. */
  public sealed interface Result {

    /** It is so now, or was so before, in the database and in the stock. */
    record Done(Coupon coupon) implements Result {}

    /** It cannot be so; nothing changed. */
    record Refused(CouponChange.Refused.Reason reason) implements Result {}

    /** Others changed the coupon again and again; nothing changed by this wish. */
    record Overtaken() implements Result {}

    /** There is no such coupon. */
    record Unknown() implements Result {}
  }

  /**
   * Changes the coupon as wished, and returns when the claims feel it. Asking again is safe.
   *
   * @param wish one of the changes that {@link Coupon} offers
   * @throws io.firstcome.domain.port.StockUnavailableException if the change is committed and the
   *     stock may not have it yet; it follows by itself
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if the database did not say that
   *     it is committed
   */
  public Result change(CouponId couponId, Function<Coupon, CouponChange> wish, Actor actor) {
    for (int i = 0; i < MAX_TRIES; i++) {
      var stored = coupons.find(couponId);
      if (stored.isEmpty()) {
        return new Result.Unknown();
      }
      switch (wish.apply(stored.get())) {
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
    return new Result.Overtaken();
  }

  private Result done(Coupon coupon) {
    return new Result.Done(bringToStock.ensure(coupon));
  }
}
