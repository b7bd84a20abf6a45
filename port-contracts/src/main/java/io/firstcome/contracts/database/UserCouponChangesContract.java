package io.firstcome.contracts.database;

import static io.firstcome.contracts.CouponFixtures.ACCEPTED_AT;
import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static java.util.Comparator.comparing;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.Money;
import io.firstcome.domain.shop.OrderId;
import io.firstcome.domain.shop.ShopId;
import io.firstcome.domain.usercoupon.Actor;
import io.firstcome.domain.usercoupon.RecordedRedemption;
import io.firstcome.domain.usercoupon.RecordedRedemption.State;
import io.firstcome.domain.usercoupon.Redemption;
import io.firstcome.domain.usercoupon.RedemptionId;
import io.firstcome.domain.usercoupon.UserCoupon;
import io.firstcome.domain.usercoupon.UserCoupon.Expired;
import io.firstcome.domain.usercoupon.UserCoupon.Held;
import io.firstcome.domain.usercoupon.UserCoupon.Issued;
import io.firstcome.domain.usercoupon.UserCoupon.Used;
import io.firstcome.domain.usercoupon.UserCouponChange;
import io.firstcome.domain.usercoupon.UserCouponId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Currency;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How every database records the steps in the life of a user coupon. */
public abstract class UserCouponChangesContract extends DatabaseContract {

  private static final Actor ALICE = new Actor(Actor.Kind.CUSTOMER, "alice");
  private static final Instant NOW = ACCEPTED_AT.plus(Duration.ofDays(1));
  private static final Instant SOON = NOW.plus(Duration.ofMinutes(10));
  private static final Currency EUR = Currency.getInstance("EUR");
  private static final int CALLERS = 200;
  private static final int THREADS = 16;

  private Coupon coupon = aCoupon().returningToStock().build();
  private Issued issued =
      Issued.of(claim(coupon, "alice", 1), coupon.definition().validity(), 1, 1);

  @BeforeEach
  void alice_has_slot_1() {
    coupon = defined(aCoupon().returningToStock());
    record(claim(coupon, "alice", 1));
    issued = (Issued) stored();
  }

  private UserCoupon stored() {
    return database().userCoupons().find(coupon.id(), user("alice")).orElseThrow();
  }

  private static Redemption of(String order) {
    return new Redemption(new OrderId(order), new Money(2_000, EUR), new Money(500, EUR));
  }

  private boolean change(UserCoupon before, UserCoupon after) {
    return database().userCoupons().change(new UserCouponChange(before, after, ALICE, NOW));
  }

  /** Records the step and asserts that it is read as it was written. */
  private void assertRecorded(UserCoupon before, UserCoupon after) {
    assertThat(change(before, after)).isTrue();
    assertThat(stored()).isEqualTo(after);
    assertThat(database().userCoupons().find(after.id())).contains(after);
    assertThat(database().userCoupons().owners(coupon.id(), List.of(user("alice"))))
        .containsExactly(user("alice"));
  }

  @Test
  void a_new_row_is_issued_in_revision_1_until_its_validity_ends() {
    assertThat(issued)
        .isEqualTo(Issued.of(claim(coupon, "alice", 1), coupon.definition().validity(), 1, 1));
    assertThat(issued.ownership().expiresAt()).isEqualTo(ACCEPTED_AT.plus(Duration.ofDays(30)));
    assertThat(database().userCoupons().find(issued.id())).contains(issued);
  }

  @Test
  void a_hold_is_confirmed_and_the_use_undone() {
    var held = issued.hold(of("order-1"), SOON);
    var used = held.confirm(NOW);

    assertRecorded(issued, held);
    assertRecorded(held, used);
    assertRecorded(used, used.undo(NOW));
  }

  @Test
  void a_hold_is_released_and_another_order_uses_the_user_coupon() {
    var held = issued.hold(of("order-1"), SOON);
    var released = (Issued) held.release(NOW);

    assertRecorded(issued, held);
    assertRecorded(held, released);
    assertRecorded(released, released.use(of("order-2"), NOW));
  }

  @Test
  void the_same_order_holds_the_user_coupon_again() {
    var used = issued.use(of("order-1"), NOW);
    var restored = (Issued) used.undo(NOW);

    assertRecorded(issued, used);
    assertRecorded(used, restored);
    assertRecorded(restored, restored.hold(of("order-1"), SOON));
  }

  @Test
  void a_hold_that_has_ended_is_replaced_by_the_hold_of_another_order() {
    var held = issued.hold(of("order-1"), NOW);
    var free = (Issued) held.at(NOW);

    assertRecorded(issued, held);
    assertRecorded(held, free.hold(of("order-2"), SOON));
  }

  private static Redemption byShop(String shop, String order) {
    return new Redemption(
        new OrderId(order), new Money(2_000, EUR), new Money(500, EUR), new ShopId(shop));
  }

  private RedemptionId idOf(String order) {
    return new RedemptionId(issued.id(), new OrderId(order));
  }

  private Optional<RecordedRedemption> found(String order) {
    return database().userCoupons().findRedemption(idOf(order));
  }

  private RecordedRedemption recorded(Redemption redemption, State state, @Nullable Instant until) {
    return new RecordedRedemption(
        new RedemptionId(issued.id(), redemption.orderId()), redemption, state, until, NOW);
  }

  @Test
  void a_redemption_can_be_found_after_it_has_ended() {
    var held = issued.hold(of("order-1"), SOON);
    var released = (Issued) held.release(NOW);
    var used = released.use(of("order-2"), NOW);
    assertThat(found("order-1")).isEmpty();

    assertRecorded(issued, held);
    assertThat(found("order-1")).contains(recorded(of("order-1"), State.HELD, SOON));
    assertThat(found("order-2")).isEmpty();

    assertRecorded(held, released);
    assertRecorded(released, used);
    assertThat(found("order-1")).contains(recorded(of("order-1"), State.RELEASED, null));
    assertThat(found("order-2")).contains(recorded(of("order-2"), State.CONFIRMED, null));

    assertRecorded(used, used.undo(NOW));
    assertThat(found("order-2")).contains(recorded(of("order-2"), State.UNDONE, null));
  }

  @Test
  void a_shop_takes_over_the_hold_of_an_order() {
    var held = issued.hold(of("order-1"), SOON);
    var byShop = held.hold(byShop("berlin", "order-1"), SOON);
    var used = byShop.confirm(NOW);

    assertRecorded(issued, held);
    assertRecorded(held, byShop);
    assertThat(found("order-1")).contains(recorded(byShop("berlin", "order-1"), State.HELD, SOON));
    assertRecorded(byShop, used);
    assertThat(found("order-1"))
        .contains(recorded(byShop("berlin", "order-1"), State.CONFIRMED, null));
  }

  @Test
  void redemptions_of_an_order_are_found_by_the_shop_that_has_made_them() {
    record(claim(coupon, "bob", 2), claim(coupon, "carl", 3));
    var bobs = (Issued) database().userCoupons().find(coupon.id(), user("bob")).orElseThrow();
    var carls = (Issued) database().userCoupons().find(coupon.id(), user("carl")).orElseThrow();
    assertRecorded(issued, issued.use(byShop("berlin", "order-1"), NOW));
    assertThat(change(bobs, bobs.use(byShop("berlin", "order-1"), NOW))).isTrue();
    assertThat(change(carls, carls.use(byShop("london", "order-1"), NOW))).isTrue();

    assertThat(ofOrder("berlin", "order-1", 10))
        .containsExactlyElementsOf(
            Stream.of(issued.id(), bobs.id()).sorted(comparing(UserCouponId::toString)).toList());
    assertThat(ofOrder("berlin", "order-1", 1)).hasSize(1);
    assertThat(ofOrder("london", "order-1", 10)).containsExactly(carls.id());
    assertThat(ofOrder("berlin", "order-2", 10)).isEmpty();
  }

  private List<UserCouponId> ofOrder(String shop, String order, int max) {
    return database().userCoupons().redemptions(new ShopId(shop), new OrderId(order), max).stream()
        .map(recorded -> recorded.id().userCouponId())
        .toList();
  }

  @Test
  void a_user_coupon_expires() {
    assertRecorded(issued, issued.expire());
  }

  @Test
  void the_slot_of_a_returned_user_coupon_is_issued_again_in_the_next_generation() {
    assertRecorded(issued, issued.giveBack(NOW, true));
    record(claim(coupon, "bob", 1), claim(coupon, "carl", 2));

    assertThat(database().userCoupons().find(coupon.id(), user("bob")).orElseThrow())
        .isEqualTo(Issued.of(claim(coupon, "bob", 1), coupon.definition().validity(), 2, 1));
    assertThat(database().userCoupons().find(coupon.id(), user("carl")).orElseThrow().ownership())
        .matches(ownership -> ownership.generation() == 1);
    assertRowsOf(coupon, claim(coupon, "bob", 1), claim(coupon, "carl", 2));
  }

  @Test
  void the_generation_of_a_slot_counts_all_its_owners() {
    assertRecorded(issued, issued.giveBack(NOW, true));
    record(claim(coupon, "bob", 1));
    var bobs = (Issued) database().userCoupons().find(coupon.id(), user("bob")).orElseThrow();
    assertThat(change(bobs, bobs.revoke("fraud", NOW, true))).isTrue();
    record(claim(coupon, "carl", 1));

    assertThat(database().userCoupons().find(coupon.id(), user("carl")).orElseThrow().ownership())
        .matches(ownership -> ownership.generation() == 3);
  }

  @Test
  void a_revoked_user_coupon_has_its_reason_and_can_keep_its_slot() {
    var held = issued.hold(of("order-1"), SOON);
    var revoked = held.revoke("fraud: 'stolen'", NOW, false);

    assertRecorded(issued, held);
    assertRecorded(held, revoked);
    assertRowsOf(coupon, claim(coupon, "alice", 1));
  }

  @Test
  void a_step_from_an_earlier_revision_changes_nothing() {
    var used = issued.use(of("order-1"), NOW);
    assertRecorded(issued, used);

    assertThat(change(issued, issued.hold(of("order-2"), SOON))).isFalse();
    assertThat(change(issued, issued.giveBack(NOW, true))).isFalse();
    assertThat(stored()).isEqualTo(used);
    assertRowsOf(coupon, claim(coupon, "alice", 1));
  }

  @Test
  void a_step_of_an_unknown_user_coupon_changes_nothing() {
    var unknown = Issued.of(claim(coupon, "nobody", 7), coupon.definition().validity(), 1, 1);

    assertThat(change(unknown, unknown.expire())).isFalse();
    assertThat(database().userCoupons().find(unknown.id())).isEmpty();
  }

  @Test
  void a_use_that_is_undone_after_the_validity_is_expired() {
    var used = issued.use(of("order-1"), NOW);
    assertRecorded(issued, used);

    assertRecorded(used, used.undo(issued.ownership().expiresAt()));
    assertThat(stored()).isInstanceOf(Expired.class);
  }

  @Test
  @Timeout(60)
  void of_two_hundred_concurrent_orders_exactly_one_succeeds() throws Exception {
    var won = new ArrayList<Boolean>();
    try (var threads = Executors.newFixedThreadPool(THREADS)) {
      var calls = new ArrayList<Callable<Boolean>>();
      for (int i = 0; i < CALLERS; i++) {
        var redemption = of("order-" + i);
        var after = i % 2 == 0 ? issued.use(redemption, NOW) : issued.hold(redemption, SOON);
        calls.add(() -> change(issued, after));
      }
      for (var answer : threads.invokeAll(calls)) {
        won.add(answer.get());
      }
    } catch (ExecutionException e) {
      throw new AssertionError(e.getCause());
    }

    assertThat(won).hasSize(CALLERS).containsOnlyOnce(true);
    int winner = won.indexOf(true);
    var redemption =
        switch (stored()) {
          case Used used -> used.redemption();
          case Held held -> held.redemption();
          case UserCoupon other -> throw new AssertionError(other);
        };
    assertThat(redemption).isEqualTo(of("order-" + winner));
    assertThat(stored().revision()).isEqualTo(2);
  }
}
