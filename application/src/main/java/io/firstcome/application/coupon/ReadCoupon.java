package io.firstcome.application.coupon;

import io.firstcome.application.stock.KnownEpochs;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.CouponPhase;
import io.firstcome.domain.coupon.StoredCoupon;
import io.firstcome.domain.port.CouponRepository;
import io.firstcome.domain.port.CouponStock;
import io.firstcome.domain.port.StockUnavailableException;
import io.firstcome.domain.port.UserCouponRepository;
import io.firstcome.domain.usercoupon.UserCouponState;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
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
   * A coupon as it was at a time.
   *
   * @param remaining slots that can still be claimed, or empty if the stock is not reachable, or it
   *     is a draft
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
    if (stored.coupon().isPublished()) {
      catalog.remember(stored.coupon());
    }
    return new View(stored, remaining(stored.coupon()), clock.instant());
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
   * The coupon of that id, which may be a draft, with the counts of its user coupons.
   *
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if the database is not reachable
   */
  public Optional<Counted> readWithCounts(CouponId couponId) {
    return readAny(couponId)
        .map(view -> new Counted(view, userCoupons.countByState(couponId, clock.instant())));
  }

  /**
   * The coupons as they are now. If the stock of one is not reachable, those of the coupons after
   * it are not asked: each would take until the timeout.
   */
  List<View> views(List<StoredCoupon> coupons) {
    var views = new ArrayList<View>();
    boolean isReachable = true;
    for (var stored : coupons) {
      var remaining = isReachable ? remaining(stored.coupon()) : Optional.<Integer>empty();
      isReachable = remaining.isPresent() || !stored.coupon().hasStock();
      views.add(new View(stored, remaining, clock.instant()));
    }
    return views;
  }

  private Optional<Integer> remaining(Coupon coupon) {
    if (!coupon.hasStock()) {
      return coupon.isPublished() ? Optional.of(0) : Optional.empty();
    }
    try {
      return Optional.of(stock.level(epochs.address(coupon)).free());
    } catch (StockUnavailableException e) {
      return Optional.empty();
    }
  }
}
