package io.firstcome.domain.usercoupon;

import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponDefinition;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.Discount;
import io.firstcome.domain.coupon.IssuanceWindow;
import io.firstcome.domain.coupon.Money;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.coupon.StockBackend;
import io.firstcome.domain.coupon.Validity;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.shop.OrderId;
import io.firstcome.domain.usercoupon.UserCoupon.Issued;
import java.time.Duration;
import java.time.Instant;
import java.util.Currency;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** User coupons of one user and their coupons, for quotes on orders. */
final class Wallet {

  static final Currency EUR = Currency.getInstance("EUR");
  static final Instant TIME = Instant.parse("2026-05-01T09:00:00.123Z");
  static final Instant END = TIME.plus(Duration.ofDays(7));
  static final OrderId ORDER = new OrderId("order-1");
  static final OrderId OTHER_ORDER = new OrderId("order-2");

  private final Map<CouponId, Coupon> coupons = new HashMap<>();

  /** A user coupon of a coupon with that id and these terms. */
  Issued issued(
      String id, Discount discount, @Nullable Money minimum, Instant issuedAt, Instant expiresAt) {
    var couponId = new CouponId(id);
    var definition =
        new CouponDefinition(
            couponId,
            "Coupon " + id,
            100,
            discount,
            minimum,
            new IssuanceWindow(TIME.minus(Duration.ofDays(9)), TIME.plus(Duration.ofDays(9))),
            new Validity.Days(30),
            false,
            null,
            null);
    coupons.put(couponId, Coupon.define(definition, new Partition(0), 1, StockBackend.REDIS));
    var identity =
        new UserCouponIdentity(
            UserCouponId.parse(id + ".0123456789ABCDEF"), new CouponCode("FEDCBA9876543210"));
    return new Issued(
        new Ownership(identity, new UserId("alice"), new Slot(1), 1, issuedAt, expiresAt, 1), 1);
  }

  Issued issued(String id, long minorUnits) {
    return issued(id, new Discount.Amount(eur(minorUnits)), null, TIME, END);
  }

  static Money eur(long minorUnits) {
    return new Money(minorUnits, EUR);
  }

  static Redemption redemption(OrderId order) {
    return new Redemption(order, eur(10), eur(1));
  }

  /** What the user coupon is worth on {@link #ORDER}. */
  Offer offer(UserCoupon now, Money order) {
    return Offer.of(now, ORDER, order, owned -> coupon(owned.couponId()));
  }

  Coupon coupon(CouponId id) {
    return Objects.requireNonNull(coupons.get(id));
  }
}
