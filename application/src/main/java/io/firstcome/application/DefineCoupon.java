package io.firstcome.application;

import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponDefinition;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.port.CouponRepository;
import io.firstcome.domain.usercoupon.Actor;
import io.firstcome.domain.usercoupon.CodeKeys;
import java.time.InstantSource;

/** An operator defines a coupon. */
public final class DefineCoupon {

  private final CouponRepository coupons;
  private final BringToStock bringToStock;
  private final CodeKeys codeKeys;
  private final int partitionCount;
  private final InstantSource clock;

  public DefineCoupon(
      CouponRepository coupons,
      BringToStock bringToStock,
      CodeKeys codeKeys,
      int partitionCount,
      InstantSource clock) {
    this.coupons = coupons;
    this.bringToStock = bringToStock;
    this.codeKeys = codeKeys;
    this.partitionCount = partitionCount;
    this.clock = clock;
  }

  /** What became of a definition. */
  public sealed interface Result {

    /** It is defined now, and its stock can be claimed once the window opens. */
    record Defined(Coupon coupon) implements Result {}

    /** It was defined before with the same content. */
    record SameAsBefore(Coupon coupon) implements Result {}

    /** A coupon of that id and other content exists; nothing changed. */
    record AlreadyDefined() implements Result {}
  }

  /**
   * Defines the coupon in the database and then in the stock. If the stock cannot be reached now,
   * it follows later by itself; saying the same again is safe and tells whether it has.
   *
   * @throws io.firstcome.domain.port.StockUnavailableException if the coupon is defined and the
   *     stock may not have it yet
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if the database did not say that
   *     it is defined
   */
  public Result define(CouponDefinition definition, Actor actor) {
    var coupon =
        Coupon.define(
            definition,
            Partition.forNew(definition.couponId(), partitionCount),
            codeKeys.newestVersion());
    boolean added = coupons.addIfAbsent(coupon, actor, clock.instant());
    var stored =
        added
            ? coupon
            : coupons
                .find(coupon.id())
                .orElseThrow(() -> new IllegalStateException("vanished: coupon " + coupon.id()));
    if (!stored.definition().equals(definition)) {
      return new Result.AlreadyDefined();
    }
    bringToStock.ensure(stored);
    return added ? new Result.Defined(stored) : new Result.SameAsBefore(stored);
  }
}
