package io.firstcome.domain.usercoupon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.Money;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.coupon.Validity;
import io.firstcome.domain.issuance.Epoch;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.shop.OrderId;
import io.firstcome.domain.usercoupon.UserCoupon.Expired;
import io.firstcome.domain.usercoupon.UserCoupon.Issued;
import io.firstcome.domain.usercoupon.UserCoupon.Used;
import io.firstcome.domain.usercoupon.UserCouponChange.Action;
import java.time.Duration;
import java.time.Instant;
import java.util.Currency;
import org.junit.jupiter.api.Test;

class UserCouponTest {

  private static final Instant ACCEPTED = Instant.parse("2026-05-01T09:00:00Z");
  private static final Instant END = ACCEPTED.plus(Duration.ofDays(7));
  private static final Instant BEFORE_END = END.minusMillis(1);
  private static final Actor ALICE = new Actor(Actor.Kind.CUSTOMER, "alice");
  private static final Redemption ORDER = redemption("order-1");

  private final Issued issued =
      Issued.of(
          new AcceptedClaim(
              new CouponId("WELCOME"),
              new UserId("alice"),
              new Slot(7),
              new Partition(0),
              new Epoch(1),
              ACCEPTED,
              new UserCouponIdentity(
                  UserCouponId.parse("WELCOME.0123456789ABCDEF"),
                  new CouponCode("FEDCBA9876543210"))),
          new Validity.Days(7),
          1,
          1);

  private static Redemption redemption(String order) {
    var eur = Currency.getInstance("EUR");
    return new Redemption(new OrderId(order), new Money(2_000, eur), new Money(500, eur));
  }

  private static Action action(UserCoupon before, UserCoupon after, Actor actor) {
    return new UserCouponChange(before, after, actor, ACCEPTED).action();
  }

  @Test
  void a_user_coupon_can_be_used_until_its_validity_ends_and_not_at_that_instant() {
    assertThat(issued.at(BEFORE_END)).isEqualTo(issued);
    assertThat(issued.at(END)).isEqualTo(new Expired(issued.ownership(), 1));
  }

  @Test
  void a_hold_ends_at_its_limit() {
    var held = issued.hold(ORDER, ACCEPTED.plusSeconds(60));

    assertThat(held.at(ACCEPTED.plusSeconds(59))).isEqualTo(held);
    assertThat(held.at(ACCEPTED.plusSeconds(60))).isEqualTo(new Issued(issued.ownership(), 2));
    assertThat(held.at(END)).isEqualTo(new Expired(issued.ownership(), 2));
  }

  @Test
  void a_hold_that_outlasts_the_validity_can_be_confirmed() {
    var held = issued.hold(ORDER, END.plusSeconds(60));

    assertThat(held.at(END)).isEqualTo(held);
    assertThat(held.confirm(END)).isEqualTo(new Used(issued.ownership(), 3, ORDER, END));
  }

  @Test
  void a_released_or_undone_user_coupon_is_issued_within_its_validity_and_expired_after_it() {
    var held = issued.hold(ORDER, END.plusSeconds(60));
    var used = issued.use(ORDER, ACCEPTED);

    assertThat(held.release(BEFORE_END)).isEqualTo(new Issued(issued.ownership(), 3));
    assertThat(held.release(END)).isEqualTo(new Expired(issued.ownership(), 3));
    assertThat(used.undo(BEFORE_END)).isEqualTo(new Issued(issued.ownership(), 3));
    assertThat(used.undo(END)).isEqualTo(new Expired(issued.ownership(), 3));
  }

  @Test
  void time_does_not_change_a_used_returned_or_revoked_user_coupon() {
    var used = issued.use(ORDER, ACCEPTED);
    var returned = issued.giveBack(ACCEPTED, true);
    var revoked = issued.revoke("fraud", ACCEPTED, false);

    assertThat(used.at(END)).isEqualTo(used);
    assertThat(returned.at(END)).isEqualTo(returned);
    assertThat(revoked.at(END)).isEqualTo(revoked);
  }

  @Test
  void a_change_has_its_action() {
    var held = issued.hold(ORDER, BEFORE_END);
    var used = held.confirm(ACCEPTED);

    assertThat(action(issued, held, ALICE)).isEqualTo(Action.HOLD);
    assertThat(action(held, used, ALICE)).isEqualTo(Action.CONFIRM);
    assertThat(action(issued, issued.use(ORDER, ACCEPTED), ALICE)).isEqualTo(Action.USE);
    assertThat(action(held, held.release(ACCEPTED), ALICE)).isEqualTo(Action.RELEASE);
    assertThat(action(held, held.release(END), ALICE)).isEqualTo(Action.RELEASE);
    assertThat(action(used, used.undo(ACCEPTED), ALICE)).isEqualTo(Action.UNDO);
    assertThat(action(used, used.undo(END), ALICE)).isEqualTo(Action.UNDO);
    assertThat(action(issued, issued.expire(), Actor.TIME)).isEqualTo(Action.EXPIRE);
    assertThat(action(held, held.release(END), Actor.TIME)).isEqualTo(Action.EXPIRE);
    assertThat(action(issued, issued.giveBack(ACCEPTED, true), ALICE)).isEqualTo(Action.GIVE_BACK);
    assertThat(action(held, held.revoke("fraud", ACCEPTED, true), ALICE)).isEqualTo(Action.REVOKE);
  }

  @Test
  void a_use_after_the_hold_of_another_order_has_ended_is_no_confirmation() {
    var held = issued.hold(ORDER, ACCEPTED);
    var free = (Issued) held.at(ACCEPTED);
    var change =
        new UserCouponChange(held, free.use(redemption("order-2"), ACCEPTED), ALICE, ACCEPTED);

    assertThat(change.action()).isEqualTo(Action.USE);
    assertThat(change.redemption()).contains(redemption("order-2"));
  }

  @Test
  void a_change_has_the_redemption_that_it_ends() {
    var used = issued.use(ORDER, ACCEPTED);

    assertThat(new UserCouponChange(used, used.undo(END), ALICE, END).redemption()).contains(ORDER);
    assertThat(new UserCouponChange(issued, issued.expire(), Actor.TIME, END).redemption())
        .isEmpty();
  }

  @Test
  void a_change_must_have_the_next_revision() {
    var held = issued.hold(ORDER, END);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> new UserCouponChange(issued, held.confirm(ACCEPTED), ALICE, ACCEPTED))
        .withMessageContaining("revision 1")
        .withMessageContaining("3");
  }

  @Test
  void a_discount_is_positive_and_within_the_order() {
    var eur = Currency.getInstance("EUR");
    var order = new OrderId("o");

    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Redemption(order, new Money(10, eur), new Money(11, eur)));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Redemption(order, new Money(10, eur), new Money(0, eur)));
    assertThat(new Redemption(order, new Money(10, eur), new Money(10, eur)).discount())
        .isEqualTo(new Money(10, eur));
  }

  @Test
  void a_redemption_id_consists_of_user_coupon_and_order() {
    var id = new RedemptionId(issued.id(), new OrderId("a.b_c@d-e"));

    assertThat(id).hasToString("WELCOME.0123456789ABCDEF:a.b_c@d-e");
    assertThat(RedemptionId.parse(id.toString())).isEqualTo(id);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RedemptionId.parse("WELCOME.0123456789ABCDEF"));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RedemptionId.parse("WELCOME.0123456789ABCDEF:a:b"));
  }

  @Test
  void each_type_has_the_name_of_its_state() {
    assertThat(issued.state()).isEqualTo(UserCouponState.ISSUED);
    assertThat(issued.hold(ORDER, END).state()).isEqualTo(UserCouponState.HELD);
    assertThat(issued.use(ORDER, END).state()).isEqualTo(UserCouponState.USED);
    assertThat(issued.expire().state()).isEqualTo(UserCouponState.EXPIRED);
    assertThat(issued.giveBack(END, false).state()).isEqualTo(UserCouponState.RETURNED);
    assertThat(issued.revoke("fraud", END, false).state()).isEqualTo(UserCouponState.REVOKED);
  }
}
