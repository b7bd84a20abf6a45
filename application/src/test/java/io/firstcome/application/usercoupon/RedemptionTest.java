package io.firstcome.application.usercoupon;

import static io.firstcome.contracts.CouponFixtures.ACCEPTED_AT;
import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static io.firstcome.contracts.CouponFixtures.acceptedClaim;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.firstcome.application.SettableClock;
import io.firstcome.application.coupon.CouponCatalog;
import io.firstcome.application.usercoupon.TakeUserCoupon.Order;
import io.firstcome.application.usercoupon.UserCouponAnswer.Done;
import io.firstcome.application.usercoupon.UserCouponAnswer.DoneBefore;
import io.firstcome.application.usercoupon.UserCouponAnswer.NotApplicable;
import io.firstcome.application.usercoupon.UserCouponAnswer.Reason;
import io.firstcome.application.usercoupon.UserCouponAnswer.Refused;
import io.firstcome.application.usercoupon.UserCouponAnswer.UnknownRedemption;
import io.firstcome.application.usercoupon.UserCouponAnswer.UnknownUserCoupon;
import io.firstcome.contracts.CouponFixtures;
import io.firstcome.contracts.database.InMemoryDatabase;
import io.firstcome.domain.coupon.Money;
import io.firstcome.domain.coupon.Worth;
import io.firstcome.domain.usercoupon.Actor;
import io.firstcome.domain.usercoupon.OrderId;
import io.firstcome.domain.usercoupon.RedemptionId;
import io.firstcome.domain.usercoupon.UserCoupon;
import io.firstcome.domain.usercoupon.UserCoupon.Held;
import io.firstcome.domain.usercoupon.UserCoupon.Used;
import io.firstcome.domain.usercoupon.UserCouponId;
import io.firstcome.domain.usercoupon.UserCouponState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Currency;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A coupon of 5 EUR off 20 EUR or more, issued to alice, valid for 30 days. */
class RedemptionTest {

  private static final Currency EUR = Currency.getInstance("EUR");
  private static final Duration TEN_MINUTES = Duration.ofMinutes(10);
  private static final Instant EXPIRY = ACCEPTED_AT.plus(Duration.ofDays(30));
  private static final Actor ALICE = new Actor(Actor.Kind.CUSTOMER, "alice");
  private static final Actor BOB = new Actor(Actor.Kind.CUSTOMER, "bob");
  private static final Actor SHOP = new Actor(Actor.Kind.SHOP, "shop");
  private static final int CALLERS = 200;

  private final InMemoryDatabase database = new InMemoryDatabase();
  private final SettableClock clock = new SettableClock();
  private final TakeUserCoupon takeUserCoupon =
      new TakeUserCoupon(
          new CouponCatalog(database.coupons(), clock), database.userCoupons(), clock);
  private final EndRedemption endRedemption = new EndRedemption(database.userCoupons(), clock);
  private final UserCouponId id = issue();

  private UserCouponId issue() {
    var coupon =
        database.ports().define(aCoupon().withMinimumOrder(new Money(2_000, EUR)).build(), 1);
    var claim = acceptedClaim(coupon, "alice", 1, 1);
    database.userCoupons().record(List.of(claim));
    return CouponFixtures.codeKeys()
        .identityOf(coupon.codeKeyVersion(), coupon.id(), claim.userId())
        .id();
  }

  private static Order order(String orderId, long minorUnits, @Nullable Duration hold) {
    return new Order(new OrderId(orderId), new Money(minorUnits, EUR), hold);
  }

  private UserCouponAnswer use(String orderId) {
    return takeUserCoupon.take(id, order(orderId, 3_000, null), ALICE);
  }

  private UserCouponAnswer hold(String orderId) {
    return takeUserCoupon.take(id, order(orderId, 3_000, TEN_MINUTES), ALICE);
  }

  private UserCouponAnswer confirm(String orderId) {
    return endRedemption.confirm(new RedemptionId(id, new OrderId(orderId)), ALICE);
  }

  private UserCouponAnswer cancel(String orderId) {
    return endRedemption.cancel(new RedemptionId(id, new OrderId(orderId)), ALICE);
  }

  private UserCoupon stored() {
    return database.userCoupons().find(id).orElseThrow();
  }

  private void assertState(UserCouponState state) {
    assertThat(stored().at(clock.instant()).state()).isEqualTo(state);
  }

  @Test
  void it_cannot_be_taken_and_released_for_ever() {
    for (int i = 1; i < TakeUserCoupon.MOST_STEPS; i += 2) {
      assertThat(hold("order-" + i)).isInstanceOf(Done.class);
      assertThat(cancel("order-" + i)).isInstanceOf(Done.class);
    }
    assertThat(hold("last")).isEqualTo(new Refused(Reason.TAKEN_TOO_OFTEN));
    assertThat(use("last")).isEqualTo(new Refused(Reason.TAKEN_TOO_OFTEN));
    assertState(UserCouponState.ISSUED);
  }

  @Test
  void it_is_used_once_and_the_same_order_is_told_the_same_again() {
    assertThat(use("order-1"))
        .isInstanceOfSatisfying(
            Done.class,
            done ->
                assertThat(((Used) done.userCoupon()).redemption().discount())
                    .isEqualTo(new Money(500, EUR)));
    var used = stored();

    assertThat(use("order-1")).isEqualTo(new DoneBefore(used));
    assertThat(hold("order-1")).isEqualTo(new DoneBefore(used));
    assertThat(use("order-2")).isEqualTo(new Refused(Reason.ALREADY_USED));
    assertThat(hold("order-2")).isEqualTo(new Refused(Reason.ALREADY_USED));
    assertThat(stored()).isEqualTo(used);
  }

  @Test
  void it_is_held_confirmed_and_the_use_undone_for_another_order() {
    assertThat(hold("order-1")).isInstanceOf(Done.class);
    var held = (Held) stored();
    assertThat(held.until()).isEqualTo(clock.instant().plus(TEN_MINUTES));
    assertThat(hold("order-1")).isEqualTo(new DoneBefore(held));
    assertThat(hold("order-2")).isEqualTo(new Refused(Reason.HELD_BY_ANOTHER_ORDER));
    assertThat(use("order-2")).isEqualTo(new Refused(Reason.HELD_BY_ANOTHER_ORDER));

    assertThat(confirm("order-1")).isInstanceOf(Done.class);
    assertThat(confirm("order-1")).isEqualTo(new DoneBefore(stored()));
    assertState(UserCouponState.USED);

    assertThat(cancel("order-1")).isInstanceOf(Done.class);
    assertState(UserCouponState.ISSUED);
    assertThat(cancel("order-1")).isEqualTo(new DoneBefore(stored()));
    assertThat(confirm("order-1")).isEqualTo(new Refused(Reason.NOT_HELD));
    assertThat(use("order-2")).isInstanceOf(Done.class);
    assertThat(cancel("order-1")).isEqualTo(new DoneBefore(stored()));
    assertThat(confirm("order-1")).isEqualTo(new Refused(Reason.ALREADY_USED));
    assertState(UserCouponState.USED);
  }

  @Test
  void an_order_that_holds_it_and_asks_for_its_use_confirms_the_hold() {
    assertThat(hold("order-1")).isInstanceOf(Done.class);

    assertThat(use("order-1")).isInstanceOf(Done.class);
    assertState(UserCouponState.USED);
  }

  @Test
  void a_cancelled_order_may_take_it_again() {
    use("order-1");
    cancel("order-1");

    assertThat(use("order-1")).isInstanceOf(Done.class);
    assertState(UserCouponState.USED);
  }

  @Test
  void a_hold_is_over_at_its_limit_without_anybody_doing_anything() {
    hold("order-1");
    clock.advance(TEN_MINUTES.minusMillis(1));
    assertState(UserCouponState.HELD);
    clock.advance(Duration.ofMillis(1));
    assertState(UserCouponState.ISSUED);

    assertThat(confirm("order-1")).isEqualTo(new Refused(Reason.NOT_HELD));
    assertThat(use("order-2")).isInstanceOf(Done.class);
    assertThat(confirm("order-1")).isEqualTo(new Refused(Reason.ALREADY_USED));
  }

  @Test
  void an_order_whose_hold_is_over_can_hold_it_again() {
    hold("order-1");
    clock.advance(TEN_MINUTES);

    assertThat(hold("order-1")).isInstanceOf(Done.class);
    assertThat(((Held) stored()).until()).isEqualTo(clock.instant().plus(TEN_MINUTES));
  }

  @Test
  void it_is_expired_at_the_instant_at_which_its_validity_ends() {
    clock.advance(Duration.between(clock.instant(), EXPIRY).minusMillis(1));
    assertState(UserCouponState.ISSUED);
    clock.advance(Duration.ofMillis(1));

    assertState(UserCouponState.EXPIRED);
    assertThat(use("order-1")).isEqualTo(new Refused(Reason.EXPIRED));
    assertThat(hold("order-1")).isEqualTo(new Refused(Reason.EXPIRED));
  }

  @Test
  void what_was_held_in_time_can_be_confirmed_after_the_validity() {
    clock.advance(Duration.between(clock.instant(), EXPIRY).minusMillis(1));
    hold("order-1");
    clock.advance(Duration.ofMinutes(5));

    assertThat(confirm("order-1")).isInstanceOf(Done.class);
    assertThat(cancel("order-1")).isInstanceOf(Done.class);
    assertState(UserCouponState.EXPIRED);
    assertThat(confirm("order-1")).isEqualTo(new Refused(Reason.EXPIRED));
  }

  @Test
  void the_same_order_with_another_amount_is_another_order() {
    use("order-1");

    assertThat(takeUserCoupon.take(id, order("order-1", 3_001, null), ALICE))
        .isEqualTo(new Refused(Reason.OTHER_AMOUNT));
    cancel("order-1");
    hold("order-1");
    assertThat(takeUserCoupon.take(id, order("order-1", 3_001, null), ALICE))
        .isEqualTo(new Refused(Reason.OTHER_AMOUNT));
  }

  @Test
  void an_order_it_does_not_apply_to_does_not_get_it() {
    assertThat(takeUserCoupon.take(id, order("order-1", 1_999, null), ALICE))
        .isEqualTo(new NotApplicable(Worth.Nothing.Reason.BELOW_MINIMUM));
    var dollars = new Money(5_000, Currency.getInstance("USD"));
    assertThat(takeUserCoupon.take(id, new Order(new OrderId("o"), dollars, null), ALICE))
        .isEqualTo(new NotApplicable(Worth.Nothing.Reason.WRONG_CURRENCY));
    assertState(UserCouponState.ISSUED);
    assertThat(stored().revision()).isEqualTo(1);
  }

  @Test
  void a_customer_has_only_their_own_and_a_shop_takes_anybodys() {
    assertThat(takeUserCoupon.take(id, order("order-1", 3_000, null), BOB))
        .isEqualTo(new UnknownUserCoupon());
    assertThat(takeUserCoupon.take(id, order("order-1", 3_000, null), SHOP))
        .isInstanceOf(Done.class);
    assertThat(endRedemption.cancel(new RedemptionId(id, new OrderId("order-1")), BOB))
        .isEqualTo(new UnknownUserCoupon());
    assertState(UserCouponState.USED);
  }

  @Test
  void an_order_that_never_took_it_has_nothing_to_confirm_or_cancel() {
    assertThat(confirm("order-1")).isEqualTo(new UnknownRedemption());
    use("order-2");
    assertThat(confirm("order-1")).isEqualTo(new UnknownRedemption());
    assertThat(cancel("order-1")).isEqualTo(new UnknownRedemption());
    assertState(UserCouponState.USED);
  }

  @Test
  void a_hold_has_bounds() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> order("order-1", 1, Duration.ofMillis(999)))
        .withMessageContaining("PT1S");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> order("order-1", 1, Duration.ofDays(1).plusMillis(1)))
        .withMessageContaining("PT24H");
  }

  @Test
  @Timeout(60)
  void of_two_hundred_orders_at_once_one_gets_it_and_each_other_one_is_told_so() throws Exception {
    var answers = new ArrayList<UserCouponAnswer>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var calls = new ArrayList<Callable<UserCouponAnswer>>();
      for (int i = 0; i < CALLERS; i++) {
        var orderId = "order-" + i;
        calls.add(i % 2 == 0 ? () -> use(orderId) : () -> hold(orderId));
      }
      for (var answer : threads.invokeAll(calls)) {
        answers.add(answer.get());
      }
    }

    assertThat(answers).filteredOn(Done.class::isInstance).hasSize(1);
    var expected = stored() instanceof Used ? Reason.ALREADY_USED : Reason.HELD_BY_ANOTHER_ORDER;
    assertThat(answers)
        .filteredOn(answer -> !(answer instanceof Done))
        .hasSize(CALLERS - 1)
        .containsOnly(new Refused(expected));
    assertThat(stored().revision()).isEqualTo(2);
  }
}
