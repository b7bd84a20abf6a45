package io.firstcome.application.usercoupon;

import io.firstcome.application.coupon.CouponCatalog;
import io.firstcome.domain.coupon.Money;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.port.UserCouponRepository;
import io.firstcome.domain.shop.OrderId;
import io.firstcome.domain.usercoupon.Offer;
import io.firstcome.domain.usercoupon.Quote;
import io.firstcome.domain.usercoupon.UserCoupon;
import java.time.InstantSource;
import java.util.stream.Collectors;

/**
 * A customer, or a shop on behalf of one, asks what their user coupons are worth on an order. A
 * quote changes nothing.
 */
public final class QuoteUserCoupons {

  /** More than a customer compares; it bounds what one call reads and answers. */
  static final int MAX_CONSIDERED = 100;

  private final CouponCatalog catalog;
  private final UserCouponRepository userCoupons;
  private final InstantSource clock;

  public QuoteUserCoupons(
      CouponCatalog catalog, UserCouponRepository userCoupons, InstantSource clock) {
    this.catalog = catalog;
    this.userCoupons = userCoupons;
    this.clock = clock;
  }

  /**
   * What each of the user's coupons is worth on the order. At most {@value #MAX_CONSIDERED} are
   * considered: those recorded as issued or held first, then the newest others.
   *
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if the database is not reachable
   */
  public Quote quote(UserId owner, OrderId orderId, Money amount) {
    var now = clock.instant();
    var considered = userCoupons.usableFirst(owner, MAX_CONSIDERED);
    catalog.load(considered.stream().map(UserCoupon::couponId).collect(Collectors.toSet()));
    var offers =
        considered.stream()
            .map(userCoupon -> Offer.of(userCoupon.at(now), orderId, amount, catalog::of))
            .toList();
    return new Quote(amount, offers);
  }
}
