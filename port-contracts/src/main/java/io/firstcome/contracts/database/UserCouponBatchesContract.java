package io.firstcome.contracts.database;

import static io.firstcome.contracts.CouponFixtures.ACCEPTED_AT;
import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.Money;
import io.firstcome.domain.shop.OrderId;
import io.firstcome.domain.usercoupon.Actor;
import io.firstcome.domain.usercoupon.Redemption;
import io.firstcome.domain.usercoupon.UserCoupon;
import io.firstcome.domain.usercoupon.UserCoupon.Issued;
import io.firstcome.domain.usercoupon.UserCouponChange;
import io.firstcome.domain.usercoupon.UserCouponId;
import java.time.Duration;
import java.time.Instant;
import java.util.Currency;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How every database records steps of several user coupons at once. */
public abstract class UserCouponBatchesContract extends DatabaseContract {

  private static final Actor SHOP = new Actor(Actor.Kind.SHOP, "shop");
  private static final Instant NOW = ACCEPTED_AT.plus(Duration.ofDays(1));
  private static final Instant SOON = NOW.plus(Duration.ofMinutes(10));
  private static final Currency EUR = Currency.getInstance("EUR");

  private Coupon coupon = aCoupon().build();

  @BeforeEach
  void alice_bob_carl_and_dora_have_user_coupons() {
    coupon = defined(aCoupon().returningToStock());
    record(
        claim(coupon, "alice", 1),
        claim(coupon, "bob", 2),
        claim(coupon, "carl", 3),
        claim(coupon, "dora", 4));
  }

  private UserCoupon stored(String user) {
    return database().userCoupons().find(coupon.id(), user(user)).orElseThrow();
  }

  private Issued issued(String user) {
    return (Issued) stored(user);
  }

  private static Redemption of(String order) {
    return new Redemption(new OrderId(order), new Money(2_000, EUR), new Money(500, EUR));
  }

  private static UserCouponChange step(UserCoupon before, UserCoupon after) {
    return new UserCouponChange(before, after, SHOP, NOW);
  }

  private Set<UserCouponId> change(UserCouponChange... changes) {
    return database().userCoupons().change(List.of(changes));
  }

  @Test
  void steps_that_were_not_overtaken_are_recorded_and_the_others_are_not() {
    var used = issued("carl").use(of("order-1"), NOW);
    var overtaken = step(issued("carl"), issued("carl").expire());
    assertThat(change(step(issued("carl"), used))).containsExactly(used.id());
    var held = issued("alice").hold(of("order-2"), SOON);
    change(step(issued("alice"), held));
    var revoked = issued("dora").revoke("fraud: 'stolen'", NOW, true);
    var bobs = issued("bob").hold(of("order-3"), SOON);
    var unknown = Issued.of(claim(coupon, "nobody", 7), coupon.definition().validity(), 1, 1);

    var recorded =
        change(
            step(issued("dora"), revoked),
            overtaken,
            step(held, held.confirm(NOW)),
            step(unknown, unknown.expire()),
            step(issued("bob"), bobs));

    assertThat(recorded).containsExactlyInAnyOrder(revoked.id(), held.id(), bobs.id());
    assertThat(stored("alice")).isEqualTo(held.confirm(NOW));
    assertThat(stored("bob")).isEqualTo(bobs);
    assertThat(stored("carl")).isEqualTo(used);
    assertThat(stored("dora")).isEqualTo(revoked);
    assertRowsOf(
        coupon, claim(coupon, "alice", 1), claim(coupon, "bob", 2), claim(coupon, "carl", 3));
  }

  @Test
  void redemptions_of_several_orders_are_ended_and_created_in_one_batch() {
    var held = issued("alice").hold(of("order-1"), NOW);
    var used = issued("bob").use(of("order-2"), NOW);
    var kept = issued("carl").hold(of("order-3"), SOON);
    change(step(issued("alice"), held), step(issued("bob"), used), step(issued("carl"), kept));
    var next = ((Issued) held.at(NOW)).use(of("order-4"), NOW);

    assertThat(
            change(
                step(held, next),
                step(used, used.undo(NOW)),
                step(kept, kept.release(NOW)),
                step(issued("dora"), issued("dora").use(of("order-5"), NOW))))
        .hasSize(4);

    assertThat(stored("alice")).isEqualTo(next);
    assertThat(stored("bob")).isEqualTo(used.undo(NOW));
    assertThat(stored("carl")).isEqualTo(kept.release(NOW));
    var again = ((Issued) stored("carl")).hold(of("order-3"), SOON);
    assertThat(change(step(stored("carl"), again))).containsExactly(again.id());
    assertThat(stored("carl")).isEqualTo(again);
  }

  @Test
  void the_redemption_of_a_step_that_was_overtaken_is_not_changed() {
    var held = issued("alice").hold(of("order-1"), SOON);
    change(step(issued("alice"), held));
    var confirmed = held.confirm(NOW);
    change(step(held, confirmed));

    var bobs = issued("bob");
    assertThat(change(step(held, held.release(NOW)), step(bobs, bobs.expire())))
        .containsExactly(bobs.id());

    assertThat(stored("alice")).isEqualTo(confirmed);
  }

  @Test
  void an_empty_batch_changes_nothing_and_two_steps_of_one_user_coupon_are_refused() {
    var issued = issued("alice");
    assertThat(change()).isEmpty();

    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> change(step(issued, issued.expire()), step(issued, issued.giveBack(NOW, true))))
        .withMessageContaining(issued.id().toString());

    assertThat(stored("alice")).isEqualTo(issued);
  }
}
