package io.firstcome.domain.event;

import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.Money;
import io.firstcome.domain.event.CouponEvent.Subject;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.shop.OrderId;
import io.firstcome.domain.usercoupon.Actor;
import io.firstcome.domain.usercoupon.CouponCode;
import io.firstcome.domain.usercoupon.Ownership;
import io.firstcome.domain.usercoupon.Redemption;
import io.firstcome.domain.usercoupon.UserCoupon;
import io.firstcome.domain.usercoupon.UserCoupon.Issued;
import io.firstcome.domain.usercoupon.UserCouponChange;
import io.firstcome.domain.usercoupon.UserCouponId;
import io.firstcome.domain.usercoupon.UserCouponIdentity;
import java.time.Duration;
import java.time.Instant;
import java.util.Currency;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CouponEventTest {

  private static final Instant ISSUED_AT = Instant.parse("2026-05-01T12:00:00.123Z");
  private static final Instant END = ISSUED_AT.plus(Duration.ofDays(7));
  private static final Instant NOW = ISSUED_AT.plusSeconds(60);
  private static final UserCouponId ID = UserCouponId.parse("WELCOME.0123456789ABCDEF");
  private static final UserId ALICE = new UserId("alice");
  private static final String CODE = "FEDCBA9876543210";
  private static final Currency EUR = Currency.getInstance("EUR");
  private static final Redemption ORDER =
      new Redemption(new OrderId("order-1"), new Money(2_000, EUR), new Money(500, EUR));

  private final Issued issued =
      new Issued(
          new Ownership(
              new UserCouponIdentity(ID, new CouponCode(CODE)),
              ALICE,
              new Slot(7),
              1,
              ISSUED_AT,
              END,
              1),
          1);

  private static CouponEvent.OfStep step(UserCoupon before, UserCoupon after, Instant at) {
    return CouponEvent.of(new UserCouponChange(before, after, Actor.TIME, at));
  }

  private static CouponEvent.OfStep step(UserCoupon before, UserCoupon after) {
    return step(before, after, NOW);
  }

  private static Subject atRevision(int revision) {
    return new Subject(ID, revision, ALICE);
  }

  @Test
  void the_event_of_a_new_row_has_the_time_of_acceptance() {
    var event = CouponEvent.of(issued);

    assertThat(event).isEqualTo(new CouponEvent.Issued(atRevision(1), new Slot(7), END, ISSUED_AT));
    assertThat(event.id()).isEqualTo("WELCOME.0123456789ABCDEF/1");
    assertThat(event.couponId()).isEqualTo(new CouponId("WELCOME"));
  }

  @Test
  void a_used_event_follows_a_direct_use_or_a_confirmed_hold() {
    assertThat(step(issued, issued.use(ORDER, NOW)))
        .isEqualTo(new CouponEvent.Used(atRevision(2), ORDER, NOW));
    var held = issued.hold(ORDER, END);
    assertThat(step(held, held.confirm(NOW)))
        .isEqualTo(new CouponEvent.Used(atRevision(3), ORDER, NOW));
  }

  @Test
  void holding_and_releasing_have_their_events() {
    var held = issued.hold(ORDER, END);

    assertThat(step(issued, held)).isEqualTo(new CouponEvent.Held(atRevision(2), ORDER, END, NOW));
    assertThat(step(held, held.release(NOW)))
        .isEqualTo(new CouponEvent.Released(atRevision(3), ORDER.orderId(), NOW));
  }

  @Test
  void an_undone_use_is_a_restored_event_or_an_expired_event_after_the_validity() {
    var used = issued.use(ORDER, NOW);

    assertThat(step(used, used.undo(NOW)))
        .isEqualTo(new CouponEvent.Restored(atRevision(3), new OrderId("order-1"), NOW));
    assertThat(step(used, used.undo(END), END))
        .isEqualTo(new CouponEvent.Expired(atRevision(3), END));
  }

  @Test
  void every_terminal_state_causes_an_event() {
    var held = issued.hold(ORDER, END.plusSeconds(60));

    assertThat(step(issued, issued.expire(), END))
        .isEqualTo(new CouponEvent.Expired(atRevision(2), END));
    assertThat(step(held, held.release(END), END))
        .isEqualTo(new CouponEvent.Expired(atRevision(3), END));
    assertThat(step(issued, issued.giveBack(NOW, true)))
        .isEqualTo(new CouponEvent.Returned(atRevision(2), true, NOW));
    assertThat(step(issued, issued.revoke("fraud", NOW, false)))
        .isEqualTo(new CouponEvent.Revoked(atRevision(2), "fraud", false, NOW));
  }

  @Test
  void the_time_of_an_event_is_truncated_to_milliseconds() {
    assertThat(step(issued, issued.giveBack(NOW, true), NOW.plusNanos(999_999)))
        .isEqualTo(new CouponEvent.Returned(atRevision(2), true, NOW));
  }

  @Test
  void selling_out_again_is_another_event() {
    var first = new CouponEvent.SoldOut(new CouponId("WELCOME"), 100, NOW);
    var second = new CouponEvent.SoldOut(new CouponId("WELCOME"), 200, NOW);

    assertThat(first.id()).isEqualTo("WELCOME/100").isNotEqualTo(second.id());
  }

  @Test
  void each_return_of_a_slot_is_another_event() {
    var coupon = new CouponId("WELCOME");
    var first = new CouponEvent.ReturnedToSale(coupon, new Slot(7), 1, NOW);
    var second = new CouponEvent.ReturnedToSale(coupon, new Slot(7), 2, NOW);

    assertThat(first.id()).isEqualTo("WELCOME/slot-7/1").isNotEqualTo(second.id());
  }

  /** Rounded up; a share that is reached by the last slot is said by the sold-out event. */
  @ParameterizedTest
  @CsvSource({
    "100, 79, ''",
    "100, 80, 80",
    "100, 81, ''",
    "100, 95, 95",
    "100, 100, 100",
    "6, 4, ''",
    "6, 5, 80",
    "6, 6, 100",
    "4, 4, 100",
    "1, 1, 100",
    "100000000, 80000000, 80",
    "99999999, 80000000, 80",
    "99999999, 94999999, ''",
  })
  void certain_slots_of_a_coupon_have_events(int total, int slot, String percents) {
    var coupon = new CouponId("WELCOME");

    assertThat(CouponEvent.ofFirstIssue(coupon, new Slot(slot), total, NOW))
        .isEqualTo(
            switch (percents) {
              case "" -> List.of();
              case "100" -> List.of(new CouponEvent.SoldOut(coupon, total, NOW));
              default ->
                  List.of(
                      new CouponEvent.ShareIssued(coupon, Integer.parseInt(percents), total, NOW));
            });
    assertThat(new CouponEvent.ShareIssued(coupon, 80, total, NOW).id())
        .isEqualTo("WELCOME/%d/80%%".formatted(total));
  }

  @Test
  void no_event_contains_the_code() {
    var used = issued.use(ORDER, NOW);

    assertThat(CouponEvent.of(issued)).asString().doesNotContain(CODE);
    assertThat(step(issued, used)).asString().doesNotContain(CODE);
  }
}
