package io.firstcome.application.coupon;

import io.firstcome.application.stock.FreeSlots;
import io.firstcome.application.stock.PassedOver;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.CouponPhase;
import io.firstcome.domain.coupon.StoredCoupon;
import io.firstcome.domain.port.CouponRepository;
import io.firstcome.domain.port.UserCouponRepository;
import io.firstcome.domain.usercoupon.UserCouponState;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads a coupon and its free slots, or how many of its user coupons have which state. */
public final class ReadCoupon {

  private final CouponRepository coupons;
  private final CouponCatalog catalog;
  private final FreeSlots freeSlots;
  private final UserCouponRepository userCoupons;
  private final InstantSource clock;

  public ReadCoupon(
      CouponRepository coupons,
      CouponCatalog catalog,
      FreeSlots freeSlots,
      UserCouponRepository userCoupons,
      InstantSource clock) {
    this.coupons = coupons;
    this.catalog = catalog;
    this.freeSlots = freeSlots;
    this.userCoupons = userCoupons;
    this.clock = clock;
  }

  /**
   * A coupon as it was at a time.
   *
   * @param remaining slots that can still be claimed, as in {@link FreeSlots#of}
   * @param at when it was read
   */
  public record View(StoredCoupon stored, Optional<Integer> remaining, Instant at) {

    public Coupon coupon() {
      return stored.coupon();
    }

    public CouponPhase phase() {
      return coupon().phaseAt(at, remaining.orElse(null));
    }
  }

  /**
   * The published coupon of that id. It is in the catalog from then on, so that this instance can
   * answer claims of it while the database is not reachable.
   *
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if the database is not reachable
   */
  public Optional<View> read(CouponId couponId) {
    return readAny(couponId).filter(view -> view.coupon().isPublished());
  }

  /**
   * The coupon of that id, which may be a draft.
   *
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if the database is not reachable
   */
  public Optional<View> readAny(CouponId couponId) {
    return coupons.findStored(couponId).map(this::view);
  }

  private View view(StoredCoupon stored) {
    catalog.remember(stored.coupon());
    return new View(stored, freeSlots.of(stored.coupon()), clock.instant());
  }

  /**
   * How many user coupons of the coupon have each state now. It reads all rows of the coupon. It
   * asks no stock, so it does not wait for Redis while other long reads wait for their turn.
   *
   * @return empty if there is no such coupon
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if the database is not reachable
   */
  public Optional<Map<UserCouponState, Long>> counts(CouponId couponId) {
    return coupons.find(couponId).map(_ -> userCoupons.countByState(couponId, clock.instant()));
  }

  /** The coupons as they are now. */
  List<View> views(List<StoredCoupon> coupons) {
    var views = new ArrayList<View>();
    var passedOver = new PassedOver();
    for (var stored : coupons) {
      var remaining = freeSlots.of(stored.coupon(), passedOver);
      views.add(new View(stored, remaining, clock.instant()));
    }
    return views;
  }
}
