package io.firstcome.application;

import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponDefinition;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.coupon.StockBackend;
import io.firstcome.domain.port.CouponRepository;
import io.firstcome.domain.usercoupon.Actor;
import io.firstcome.domain.usercoupon.CodeKeys;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/** An operator defines a coupon. */
public final class DefineCoupon {

  private final CouponRepository coupons;
  private final BringToStock bringToStock;
  private final CodeKeys codeKeys;
  private final int partitionCount;
  private final StockBackends backends;
  private final InstantSource clock;

  public DefineCoupon(
      CouponRepository coupons,
      BringToStock bringToStock,
      CodeKeys codeKeys,
      int partitionCount,
      StockBackends backends,
      InstantSource clock) {
    this.coupons = coupons;
    this.bringToStock = bringToStock;
    this.codeKeys = codeKeys;
    this.partitionCount = partitionCount;
    this.backends = backends;
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

    /** This deployment cannot have such a coupon; nothing changed. */
    record Refused(Reason reason) implements Result {}
  }

  /** Why a deployment cannot have a coupon. */
  public enum Reason {
    /** It has not the backend that the definition names. */
    NO_SUCH_BACKEND,
    /** The queue in front of a coupon is kept in Redis, and so its stock must be. */
    WAITING_ROOM_WITHOUT_REDIS
  }

  /**
   * Defines the coupon in the database and then in the stock. If the stock cannot be reached now,
   * it follows later by itself; saying the same again is safe and tells whether it has.
   *
   * @param wanted where its stock is to be; null for no wish, with which a coupon that is there
   *     agrees wherever its stock is
   * @throws io.firstcome.domain.port.StockUnavailableException if the coupon is defined and the
   *     stock may not have it yet
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if the database did not say that
   *     it is defined
   */
  public Result define(CouponDefinition definition, @Nullable StockBackend wanted, Actor actor) {
    var backend = wanted == null ? backends.usual() : wanted;
    if (!backends.present().contains(backend)) {
      return new Result.Refused(Reason.NO_SUCH_BACKEND);
    }
    if (backend == StockBackend.POSTGRES && definition.waitingRoom() != null) {
      return new Result.Refused(Reason.WAITING_ROOM_WITHOUT_REDIS);
    }
    var coupon =
        Coupon.define(
            definition,
            Partition.forNew(definition.couponId(), partitionCount),
            codeKeys.activeVersion(),
            backend);
    boolean added = coupons.addIfAbsent(coupon, actor, clock.instant());
    var stored =
        added
            ? coupon
            : coupons
                .find(coupon.id())
                .orElseThrow(() -> new IllegalStateException("vanished: coupon " + coupon.id()));
    if (!stored.definition().equals(definition)
        || (wanted != null && wanted != stored.stockBackend())) {
      return new Result.AlreadyDefined();
    }
    var inStock = bringToStock.ensure(stored);
    return added ? new Result.Defined(inStock) : new Result.SameAsBefore(inStock);
  }
}
