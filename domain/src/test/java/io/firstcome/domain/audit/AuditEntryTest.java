package io.firstcome.domain.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.firstcome.domain.audit.AuditEntry.Action;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponChange;
import io.firstcome.domain.coupon.CouponDefinition;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.Discount;
import io.firstcome.domain.coupon.IssuanceWindow;
import io.firstcome.domain.coupon.Money;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.coupon.StockBackend;
import io.firstcome.domain.coupon.Validity;
import io.firstcome.domain.handoff.DeadLetter;
import io.firstcome.domain.handoff.DeadLetter.Content;
import io.firstcome.domain.handoff.DeadLetterId;
import io.firstcome.domain.handoff.EntryReference;
import io.firstcome.domain.handoff.HandoffEntry;
import io.firstcome.domain.issuance.Epoch;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.SlotClaim;
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
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class AuditEntryTest {

  private static final Instant NOW = Instant.parse("2026-05-01T12:00:00.123Z");
  private static final Instant END = NOW.plus(Duration.ofDays(7));
  private static final Actor ALICE = new Actor(Actor.Kind.CUSTOMER, "alice");
  private static final Actor OLGA = Actor.operator(new UserId("olga"));
  private static final Actor OMAR = Actor.operator(new UserId("omar"));
  private static final CouponId WELCOME = new CouponId("WELCOME");
  private static final UserCouponId ID = UserCouponId.parse("WELCOME.0123456789ABCDEF");
  private static final Currency EUR = Currency.getInstance("EUR");

  private final Issued issued =
      new Issued(
          new Ownership(
              new UserCouponIdentity(ID, new CouponCode("FEDCBA9876543210")),
              new UserId("alice"),
              new Slot(7),
              1,
              NOW,
              END,
              1),
          1);

  private static Redemption order(String order) {
    return new Redemption(new OrderId(order), new Money(2_000, EUR), new Money(500, EUR));
  }

  private static Coupon coupon() {
    var definition =
        new CouponDefinition(
            WELCOME,
            "Five euros",
            100,
            new Discount.Amount(new Money(500, EUR)),
            null,
            new IssuanceWindow(NOW, END),
            new Validity.Days(7),
            true,
            null,
            null);
    return Coupon.define(definition, new Partition(3), 1, StockBackend.REDIS);
  }

  private static void assertStep(
      UserCoupon before, UserCoupon after, Action action, @Nullable String detail) {
    assertThat(AuditEntry.of(new UserCouponChange(before, after, ALICE, NOW)))
        .isEqualTo(new AuditEntry(NOW, ALICE, action, WELCOME, ID, detail));
  }

  @Test
  void an_entry_of_a_step_for_an_order_has_the_order() {
    var held = issued.hold(order("order-1"), NOW);
    var used = held.confirm(NOW);
    var free = (Issued) held.at(NOW);

    assertStep(issued, held, Action.HOLD, "order-1");
    assertStep(held, used, Action.CONFIRM, "order-1");
    assertStep(held, held.release(NOW), Action.RELEASE, "order-1");
    assertStep(held, held.release(END), Action.RELEASE, "order-1");
    assertStep(held, free.use(order("order-2"), NOW), Action.USE, "order-2");
    assertStep(used, used.undo(NOW), Action.UNDO, "order-1");
    assertStep(used, used.undo(END), Action.UNDO, "order-1");
  }

  @Test
  void entries_of_other_steps_have_a_reason_or_no_detail() {
    var held = issued.hold(order("order-1"), NOW);

    assertStep(issued, issued.giveBack(NOW, true), Action.GIVE_BACK, null);
    assertStep(issued, issued.revoke("fraud", NOW, true), Action.REVOKE, "fraud");
    assertStep(held, held.revoke("fraud", NOW, true), Action.REVOKE, "fraud");
    assertStep(issued, issued.expire(), Action.EXPIRE, null);
    assertThat(AuditEntry.of(new UserCouponChange(held, held.release(END), Actor.TIME, END)))
        .isEqualTo(new AuditEntry(END, Actor.TIME, Action.EXPIRE, WELCOME, ID, null));
  }

  @Test
  void an_entry_of_a_coupon_change_has_its_action() {
    var coupon = coupon();
    var paused = (CouponChange.Changed) coupon.pause();

    assertThat(AuditEntry.ofDefinition(coupon, OLGA, NOW)).isEqualTo(ofCoupon(Action.DEFINE, null));
    assertChange(coupon.pause(), ofCoupon(Action.PAUSE, null));
    assertChange(paused.coupon().resume(), ofCoupon(Action.RESUME, null));
    assertChange(coupon.close(), ofCoupon(Action.CLOSE, null));
    assertChange(paused.coupon().close(), ofCoupon(Action.CLOSE, null));
    assertChange(coupon.raiseTo(200), ofCoupon(Action.RAISE, "100 -> 200"));
    assertChange(paused.coupon().raiseTo(200), ofCoupon(Action.RAISE, "100 -> 200"));
  }

  private static void assertChange(CouponChange change, AuditEntry entry) {
    assertThat(AuditEntry.of((CouponChange.Changed) change, OLGA, NOW)).isEqualTo(entry);
  }

  private static AuditEntry ofCoupon(Action action, @Nullable String detail) {
    return new AuditEntry(NOW, OLGA, action, WELCOME, null, detail);
  }

  @Test
  void an_entry_of_a_recovery_has_no_coupon_and_states_a_database_restore() {
    assertThat(AuditEntry.ofRecovery(null, OLGA, NOW))
        .isEqualTo(new AuditEntry(NOW, OLGA, Action.RECOVER_STOCK, null, null, null));
    assertThat(AuditEntry.ofRecovery(OMAR, OLGA, NOW).detail())
        .isEqualTo("the database was set back, as also stated by omar");
  }

  @Test
  void an_entry_of_a_replay_has_the_dead_letter_and_the_coupon_of_its_claims() {
    var reference = new EntryReference(new Partition(3), "1-0", new Epoch(1));
    var claims =
        new HandoffEntry(
            reference, WELCOME, NOW, List.of(new SlotClaim(new UserId("alice"), new Slot(7))));

    assertThat(AuditEntry.ofReplay(letter(new Content.Claims(claims)), OLGA, NOW))
        .isEqualTo(
            new AuditEntry(NOW, OLGA, Action.REPLAY_DEAD_LETTER, WELCOME, null, "dead letter 17"));
    assertThat(AuditEntry.ofReplay(letter(new Content.Unreadable("AAAA")), OLGA, NOW).couponId())
        .isNull();
    assertThat(AuditEntry.ofDiscard(letter(new Content.Claims(claims)), OLGA, NOW).action())
        .isEqualTo(Action.DISCARD_DEAD_LETTER);
  }

  private static DeadLetter letter(Content content) {
    return new DeadLetter(new DeadLetterId(17), content, "a reason", 1, NOW, NOW);
  }

  @Test
  void an_entry_without_the_target_of_its_action_is_an_illegal_argument() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new AuditEntry(NOW, OLGA, Action.USE, WELCOME, null, null))
        .withMessageContaining("USE");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new AuditEntry(NOW, OLGA, Action.PAUSE, null, null, null));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new AuditEntry(NOW, OLGA, Action.PAUSE, WELCOME, ID, null));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new AuditEntry(NOW, OLGA, Action.RECOVER_STOCK, WELCOME, ID, null));
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> new AuditEntry(NOW, ALICE, Action.USE, new CouponId("OTHER"), ID, "order-1"));
  }

  @Test
  void the_time_of_an_entry_is_truncated_to_milliseconds() {
    assertThat(AuditEntry.ofRecovery(null, OLGA, NOW.plusNanos(999_999)).at()).isEqualTo(NOW);
  }
}
