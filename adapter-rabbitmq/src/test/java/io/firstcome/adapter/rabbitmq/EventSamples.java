package io.firstcome.adapter.rabbitmq;

import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.Money;
import io.firstcome.domain.event.CouponEvent;
import io.firstcome.domain.event.CouponEvent.Subject;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.shop.OrderId;
import io.firstcome.domain.usercoupon.Redemption;
import io.firstcome.domain.usercoupon.UserCouponId;
import java.time.Instant;
import java.util.Currency;
import java.util.List;

/** An event of each type. */
final class EventSamples {

  static final Instant AT = Instant.parse("2026-05-01T09:00:00.123Z");
  static final CouponId WELCOME = new CouponId("WELCOME2026");

  private static final Currency BHD = Currency.getInstance("BHD");
  private static final OrderId ORDER = new OrderId("order-1");

  private EventSamples() {}

  static CouponEvent.Issued issued() {
    return new CouponEvent.Issued(
        subject(1), new Slot(7), Instant.parse("2026-06-01T00:00:00Z"), AT);
  }

  /** An event of a different user coupon for each slot of up to four digits. */
  static CouponEvent.Issued issued(int slot) {
    var id = UserCouponId.parse("WELCOME2026.0123456789AB%04d".formatted(slot));
    var subject = new Subject(id, 1, new UserId("user-" + slot));
    return new CouponEvent.Issued(subject, new Slot(slot), issued().expiresAt(), AT);
  }

  static CouponEvent.Used used() {
    return new CouponEvent.Used(subject(2), redemption(), AT);
  }

  private static Redemption redemption() {
    return new Redemption(ORDER, new Money(12_345, BHD), new Money(500, BHD));
  }

  static CouponEvent.SoldOut soldOut() {
    return new CouponEvent.SoldOut(WELCOME, 100_000_000, AT);
  }

  static List<CouponEvent> ofEachType() {
    return List.of(
        issued(),
        new CouponEvent.Held(subject(2), redemption(), AT.plusSeconds(60), AT),
        new CouponEvent.Released(subject(3), ORDER, AT),
        used(),
        new CouponEvent.Restored(subject(3), ORDER, AT),
        new CouponEvent.Expired(subject(4), AT),
        new CouponEvent.Returned(subject(5), true, AT),
        new CouponEvent.Revoked(subject(6), "ordered twice: \"ü\"", false, AT),
        new CouponEvent.ShareIssued(WELCOME, 80, 100_000_000, AT),
        soldOut(),
        new CouponEvent.ReturnedToSale(WELCOME, new Slot(7), 1, AT));
  }

  private static Subject subject(int revision) {
    return new Subject(
        UserCouponId.parse("WELCOME2026.0123456789ABCDEF"),
        revision,
        new UserId("ann@example.org"));
  }
}
