package io.firstcome.application.coupon;

import io.firstcome.application.stock.KnownEpochs;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.CouponStatus;
import io.firstcome.domain.port.CouponRepository;
import io.firstcome.domain.port.CouponStock;
import io.firstcome.domain.port.StockUnavailableException;
import io.firstcome.domain.port.UserCouponRepository;
import io.firstcome.domain.usercoupon.UserCouponState;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;

/** Reads a coupon and its free slots, and for operators how many user coupons have which state. */
public final class ReadCoupon {

  private final CouponRepository coupons;
  private final CouponCatalog catalog;
  private final CouponStock stock;
  private final UserCouponRepository userCoupons;
  private final KnownEpochs epochs;
  private final InstantSource clock;

  public ReadCoupon(
      CouponRepository coupons,
      CouponCatalog catalog,
      CouponStock stock,
      UserCouponRepository userCoupons,
      KnownEpochs epochs,
      InstantSource clock) {
    this.coupons = coupons;
    this.catalog = catalog;
    this.stock = stock;
    this.userCoupons = userCoupons;
    this.epochs = epochs;
    this.clock = clock;
  }

  /**
   * A coupon as it is now.
   *
   * @param remaining slots that can still be claimed, or empty if the stock is not reachable
   */
  public record View(Coupon coupon, Optional<Integer> remaining) {}

  /**
   * The coupon of that id. It is in the catalog from then on, so that this instance can answer
   * claims of it while the database is not reachable.
   *
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if the database is not reachable
   */
  public Optional<View> read(CouponId couponId) {
    var found = coupons.find(couponId);
    found.ifPresent(catalog::remember);
    return found.map(coupon -> new View(coupon, remaining(coupon)));
  }

  /**
   * A coupon as it is now, with the counts of its user coupons.
   *
   * @param counts the number of user coupons in each state now
   */
  public record Counted(View view, Map<UserCouponState, Long> counts) {

    public Counted {
      counts = Map.copyOf(counts);
    }
  }

  /**
   * The coupon of that id, with the counts of its user coupons.
   *
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if the database is not reachable
   */
  public Optional<Counted> readWithCounts(CouponId couponId) {
    return read(couponId)
        .map(view -> new Counted(view, userCoupons.countByState(couponId, clock.instant())));
  }

  private Optional<Integer> remaining(Coupon coupon) {
    if (coupon.status() == CouponStatus.ARCHIVED) {
      return Optional.of(0);
    }
    try {
      return Optional.of(stock.level(epochs.address(coupon)).free());
    } catch (StockUnavailableException e) {
      return Optional.empty();
    }
  }
}
