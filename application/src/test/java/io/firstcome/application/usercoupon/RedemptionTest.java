package io.firstcome.application.usercoupon;

import static io.firstcome.contracts.CouponFixtures.ACCEPTED_AT;
import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static io.firstcome.contracts.CouponFixtures.acceptedClaim;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.firstcome.application.SettableClock;
import io.firstcome.application.coupon.InMemoryMaps;
import io.firstcome.application.usercoupon.RedemptionRefusal.NotApplicable;
import io.firstcome.application.usercoupon.RedemptionRefusal.Reason;
import io.firstcome.application.usercoupon.TakeUserCoupon.Order;
import io.firstcome.application.usercoupon.UserCouponAnswer.Done;
import io.firstcome.application.usercoupon.UserCouponAnswer.DoneBefore;
import io.firstcome.application.usercoupon.UserCouponAnswer.Refused;
import io.firstcome.application.usercoupon.UserCouponAnswer.UnknownUserCoupon;
import io.firstcome.contracts.CouponFixtures;
import io.firstcome.contracts.database.InMemoryDatabase;
import io.firstcome.domain.coupon.Money;
import io.firstcome.domain.coupon.Worth;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.shop.OrderId;
import io.firstcome.domain.shop.ShopId;
import io.firstcome.domain.usercoupon.Redeemer;
import io.firstcome.domain.usercoupon.RedemptionId;
import io.firstcome.domain.usercoupon.UserCoupon;
import io.firstcome.domain.usercoupon.UserCoupon.Held;
import io.firstcome.domain.usercoupon.UserCoupon.Issued;
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
  private static final Redeemer ALICE = new Redeemer.Owner(new UserId("alice"));
  private static final Redeemer BOB = new Redeemer.Owner(new UserId("bob"));
  private static final Redeemer SHOP = new Redeemer.Shop(new ShopId("berlin"), null);
  private static final Redeemer OTHER_SHOP = new Redeemer.Shop(new ShopId("london"), null);
  private static final Redeemer OPERATOR = new Redeemer.Operator(new UserId("olga"));
  private static final int CALLERS = 200;

  private final InMemoryDatabase database = new InMemoryDatabase();
  private final SettableClock clock = new SettableClock();
  private final TakeUserCoupon takeUserCoupon = takeUserCoupon(false);
  private final EndRedemption endRedemption =
      new EndRedemption(database.userCoupons(), false, clock);
  private final UserCouponId id = issue();

  private TakeUserCoupon takeUserCoupon(boolean ownersUse) {
    return new TakeUserCoupon(
        InMemoryMaps.catalog(database.coupons(), clock), database.userCoupons(), ownersUse, clock);
  }

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

  private UserCouponAnswer<RedemptionRefusal> use(String orderId) {
    return takeUserCoupon.take(id, order(orderId, 3_000, null), SHOP);
  }

  private UserCouponAnswer<RedemptionRefusal> hold(String orderId) {
    return takeUserCoupon.take(id, order(orderId, 3_000, TEN_MINUTES), SHOP);
  }

  private UserCouponAnswer<RedemptionRefusal> confirm(String orderId) {
    return endRedemption.confirm(redemption(orderId), SHOP);
  }

  private UserCouponAnswer<RedemptionRefusal> release(String orderId) {
    return endRedemption.release(redemption(orderId), SHOP);
  }

  private UserCouponAnswer<RedemptionRefusal> undo(String orderId) {
    return endRedemption.undo(redemption(orderId), "out of stock", SHOP);
  }

  private RedemptionId redemption(String orderId) {
    return new RedemptionId(id, new OrderId(orderId));
  }

  private UserCoupon stored() {
    return database.userCoupons().find(id).orElseThrow();
  }

  private void assertState(UserCouponState state) {
    assertThat(stored().at(clock.instant()).state()).isEqualTo(state);
  }

  @Test
  void a_user_coupon_cannot_be_held_and_released_without_limit() {
    for (int i = 1; i < Issued.MAX_STEPS; i += 2) {
      assertThat(hold("order-" + i)).isInstanceOf(Done.class);
      assertThat(release("order-" + i)).isInstanceOf(Done.class);
    }
    assertThat(hold("last")).isEqualTo(new Refused<>(Reason.TAKEN_TOO_OFTEN));
    assertThat(use("last")).isEqualTo(new Refused<>(Reason.TAKEN_TOO_OFTEN));
    assertState(UserCouponState.ISSUED);
  }

  @Test
  void a_user_coupon_is_used_once_and_a_retry_of_the_same_order_gets_the_same_result() {
    assertThat(use("order-1"))
        .isInstanceOfSatisfying(
            Done.class,
            done ->
                assertThat(((Used) done.userCoupon()).redemption().discount())
                    .isEqualTo(new Money(500, EUR)));
    var used = stored();

    assertThat(use("order-1")).isEqualTo(new DoneBefore<>(used));
    assertThat(hold("order-1")).isEqualTo(new DoneBefore<>(used));
    assertThat(use("order-2")).isEqualTo(new Refused<>(Reason.ALREADY_USED));
    assertThat(hold("order-2")).isEqualTo(new Refused<>(Reason.ALREADY_USED));
    assertThat(stored()).isEqualTo(used);
  }

  @Test
  void a_hold_is_confirmed_and_undone_and_another_order_uses_the_user_coupon() {
    assertThat(hold("order-1")).isInstanceOf(Done.class);
    var held = (Held) stored();
    assertThat(held.until()).isEqualTo(clock.instant().plus(TEN_MINUTES));
    assertThat(hold("order-1")).isEqualTo(new DoneBefore<>(held));
    assertThat(hold("order-2")).isEqualTo(new Refused<>(Reason.HELD_BY_ANOTHER_ORDER));
    assertThat(use("order-2")).isEqualTo(new Refused<>(Reason.HELD_BY_ANOTHER_ORDER));

    assertThat(confirm("order-1")).isInstanceOf(Done.class);
    assertThat(confirm("order-1")).isEqualTo(new DoneBefore<>(stored()));
    assertState(UserCouponState.USED);

    assertThat(release("order-1")).isEqualTo(new Refused<>(Reason.ALREADY_USED));
    assertThat(undo("order-1")).isInstanceOf(Done.class);
    assertState(UserCouponState.ISSUED);
    assertThat(undo("order-1")).isEqualTo(new DoneBefore<>(stored()));
    assertThat(release("order-1")).isEqualTo(new DoneBefore<>(stored()));
    assertThat(confirm("order-1")).isEqualTo(new Refused<>(Reason.NOT_HELD));
    assertThat(use("order-2")).isInstanceOf(Done.class);
    assertThat(undo("order-1")).isEqualTo(new DoneBefore<>(stored()));
    assertThat(confirm("order-1")).isEqualTo(new Refused<>(Reason.ALREADY_USED));
    assertState(UserCouponState.USED);
  }

  @Test
  void a_use_by_the_order_that_holds_the_user_coupon_confirms_the_hold() {
    assertThat(hold("order-1")).isInstanceOf(Done.class);

    assertThat(use("order-1")).isInstanceOf(Done.class);
    assertState(UserCouponState.USED);
  }

  @Test
  void a_cancelled_order_can_use_the_user_coupon_again() {
    use("order-1");
    undo("order-1");

    assertThat(use("order-1")).isInstanceOf(Done.class);
    assertState(UserCouponState.USED);
  }

  @Test
  void a_hold_ends_at_its_limit_without_a_request() {
    hold("order-1");
    clock.advance(TEN_MINUTES.minusMillis(1));
    assertState(UserCouponState.HELD);
    clock.advance(Duration.ofMillis(1));
    assertState(UserCouponState.ISSUED);

    assertThat(confirm("order-1")).isEqualTo(new Refused<>(Reason.NOT_HELD));
    assertThat(use("order-2")).isInstanceOf(Done.class);
    assertThat(confirm("order-1")).isEqualTo(new Refused<>(Reason.ALREADY_USED));
  }

  @Test
  void an_order_whose_hold_has_ended_can_hold_the_user_coupon_again() {
    hold("order-1");
    clock.advance(TEN_MINUTES);

    assertThat(hold("order-1")).isInstanceOf(Done.class);
    assertThat(((Held) stored()).until()).isEqualTo(clock.instant().plus(TEN_MINUTES));
  }

  @Test
  void a_user_coupon_is_expired_at_the_instant_at_which_its_validity_ends() {
    clock.advance(Duration.between(clock.instant(), EXPIRY).minusMillis(1));
    assertState(UserCouponState.ISSUED);
    clock.advance(Duration.ofMillis(1));

    assertState(UserCouponState.EXPIRED);
    assertThat(use("order-1")).isEqualTo(new Refused<>(Reason.EXPIRED));
    assertThat(hold("order-1")).isEqualTo(new Refused<>(Reason.EXPIRED));
  }

  @Test
  void a_hold_from_before_the_expiry_can_be_confirmed_after_the_expiry() {
    clock.advance(Duration.between(clock.instant(), EXPIRY).minusMillis(1));
    hold("order-1");
    clock.advance(Duration.ofMinutes(5));

    assertThat(confirm("order-1")).isInstanceOf(Done.class);
    assertThat(undo("order-1")).isInstanceOf(Done.class);
    assertState(UserCouponState.EXPIRED);
    assertThat(confirm("order-1")).isEqualTo(new Refused<>(Reason.EXPIRED));
  }

  @Test
  void the_same_order_with_another_amount_is_refused() {
    use("order-1");

    assertThat(takeUserCoupon.take(id, order("order-1", 3_001, null), SHOP))
        .isEqualTo(new Refused<>(Reason.OTHER_AMOUNT));
    undo("order-1");
    hold("order-1");
    assertThat(takeUserCoupon.take(id, order("order-1", 3_001, null), SHOP))
        .isEqualTo(new Refused<>(Reason.OTHER_AMOUNT));
  }

  @Test
  void an_order_to_which_the_user_coupon_does_not_apply_is_refused() {
    assertThat(takeUserCoupon.take(id, order("order-1", 1_999, null), SHOP))
        .isEqualTo(new Refused<>(new NotApplicable(Worth.Nothing.Reason.BELOW_MINIMUM)));
    var dollars = new Money(5_000, Currency.getInstance("USD"));
    assertThat(takeUserCoupon.take(id, new Order(new OrderId("o"), dollars, null), SHOP))
        .isEqualTo(new Refused<>(new NotApplicable(Worth.Nothing.Reason.WRONG_CURRENCY)));
    assertState(UserCouponState.ISSUED);
    assertThat(stored().revision()).isEqualTo(1);
  }

  @Test
  void an_owner_holds_only_their_own_user_coupons_and_a_shop_takes_those_of_all_users() {
    var order = order("order-1", 3_000, TEN_MINUTES);
    assertThat(takeUserCoupon.take(id, order, BOB)).isEqualTo(new UnknownUserCoupon<>());
    assertThat(takeUserCoupon.take(id, order, ALICE)).isInstanceOf(Done.class);
    assertThat(endRedemption.release(redemption("order-1"), BOB))
        .isEqualTo(new UnknownUserCoupon<>());
    assertThat(endRedemption.release(redemption("order-1"), ALICE)).isInstanceOf(Done.class);
    assertThat(takeUserCoupon.take(id, order, SHOP)).isInstanceOf(Done.class);
    assertState(UserCouponState.HELD);
  }

  @Test
  void only_a_shop_uses_a_user_coupon() {
    assertThat(takeUserCoupon.take(id, order("order-1", 3_000, null), ALICE))
        .isEqualTo(new Refused<>(Reason.ONLY_SHOPS_USE));
    takeUserCoupon.take(id, order("order-1", 3_000, TEN_MINUTES), ALICE);
    assertThat(endRedemption.confirm(redemption("order-1"), ALICE))
        .isEqualTo(new Refused<>(Reason.ONLY_SHOPS_USE));
    assertState(UserCouponState.HELD);
  }

  @Test
  void without_shops_an_owner_uses_a_user_coupon_and_cannot_undo_that() {
    assertThat(takeUserCoupon(true).take(id, order("order-1", 3_000, null), ALICE))
        .isInstanceOf(Done.class);

    assertThat(endRedemption.undo(redemption("order-1"), "changed my mind", ALICE))
        .isEqualTo(new Refused<>(Reason.ONLY_SHOPS_USE));
    assertThat(endRedemption.release(redemption("order-1"), ALICE))
        .isEqualTo(new Refused<>(Reason.ALREADY_USED));
    assertState(UserCouponState.USED);
  }

  @Test
  void an_owner_cannot_end_a_redemption_of_a_shop() {
    hold("order-1");
    assertThat(endRedemption.release(redemption("order-1"), ALICE))
        .isEqualTo(new Refused<>(Reason.TAKEN_BY_SHOP));
    assertThat(takeUserCoupon.take(id, order("order-1", 3_000, TEN_MINUTES), ALICE))
        .isEqualTo(new Refused<>(Reason.TAKEN_BY_SHOP));
    assertState(UserCouponState.HELD);

    confirm("order-1");
    assertThat(endRedemption.undo(redemption("order-1"), "mine", ALICE))
        .isEqualTo(new Refused<>(Reason.TAKEN_BY_SHOP));
    assertThat(endRedemption.release(redemption("order-1"), ALICE))
        .isEqualTo(new Refused<>(Reason.TAKEN_BY_SHOP));
    assertState(UserCouponState.USED);
  }

  @Test
  void a_redemption_of_a_shop_is_unknown_to_other_shops() {
    hold("order-1");
    assertOtherShopCannotEnd();
    assertThat(takeUserCoupon.take(id, order("order-1", 3_000, null), OTHER_SHOP))
        .isEqualTo(new Refused<>(Reason.HELD_BY_ANOTHER_ORDER));

    confirm("order-1");
    assertOtherShopCannotEnd();
    assertThat(takeUserCoupon.take(id, order("order-1", 3_000, null), OTHER_SHOP))
        .isEqualTo(new Refused<>(Reason.ALREADY_USED));

    undo("order-1");
    assertOtherShopCannotEnd();
  }

  private void assertOtherShopCannotEnd() {
    var before = stored();
    var unknown = new Refused<>(Reason.UNKNOWN_REDEMPTION);
    assertThat(endRedemption.confirm(redemption("order-1"), OTHER_SHOP)).isEqualTo(unknown);
    assertThat(endRedemption.release(redemption("order-1"), OTHER_SHOP)).isEqualTo(unknown);
    assertThat(endRedemption.undo(redemption("order-1"), "theirs", OTHER_SHOP)).isEqualTo(unknown);
    assertThat(stored()).isEqualTo(before);
  }

  @Test
  void a_shop_takes_over_the_hold_of_its_owner_with_its_own_amount() {
    takeUserCoupon.take(id, order("order-1", 900_000_000_000L, TEN_MINUTES), ALICE);
    assertThat(endRedemption.confirm(redemption("order-1"), SHOP))
        .isEqualTo(new Refused<>(Reason.UNKNOWN_REDEMPTION));

    assertThat(hold("order-1")).isInstanceOf(Done.class);
    var byShop = ((Held) stored()).redemption();
    assertThat(byShop.order()).isEqualTo(new Money(3_000, EUR));
    assertThat(byShop.shop()).isEqualTo(new ShopId("berlin"));
    assertThat(endRedemption.release(redemption("order-1"), ALICE))
        .isEqualTo(new Refused<>(Reason.TAKEN_BY_SHOP));
    assertThat(confirm("order-1")).isInstanceOf(Done.class);
  }

  @Test
  void a_shop_uses_the_user_coupon_that_its_owner_holds_for_the_order() {
    takeUserCoupon.take(id, order("order-1", 2_500, TEN_MINUTES), ALICE);

    assertThat(use("order-1")).isInstanceOf(Done.class);
    assertThat(((Used) stored()).redemption().order()).isEqualTo(new Money(3_000, EUR));
    assertThat(undo("order-1")).isInstanceOf(Done.class);
  }

  @Test
  void a_hold_of_the_owner_stays_if_the_order_of_the_shop_is_too_small() {
    takeUserCoupon.take(id, order("order-1", 2_500, TEN_MINUTES), ALICE);
    var held = stored();

    assertThat(takeUserCoupon.take(id, order("order-1", 1_999, null), SHOP))
        .isEqualTo(new Refused<>(new NotApplicable(Worth.Nothing.Reason.BELOW_MINIMUM)));
    assertThat(stored()).isEqualTo(held);
  }

  @Test
  void an_operator_ends_any_redemption() {
    hold("order-1");
    assertThat(endRedemption.release(redemption("order-1"), OPERATOR)).isInstanceOf(Done.class);
    use("order-2");
    assertThat(endRedemption.undo(redemption("order-2"), "wrong till", OPERATOR))
        .isInstanceOf(Done.class);
    assertState(UserCouponState.ISSUED);
  }

  @Test
  void only_a_use_is_undone() {
    hold("order-1");
    assertThat(undo("order-1")).isEqualTo(new Refused<>(Reason.NOT_USED));
    release("order-1");
    assertThat(undo("order-1")).isEqualTo(new Refused<>(Reason.NOT_USED));
  }

  @Test
  void an_order_without_a_redemption_cannot_end_one() {
    assertThat(confirm("order-1")).isEqualTo(new Refused<>(Reason.UNKNOWN_REDEMPTION));
    use("order-2");
    assertThat(confirm("order-1")).isEqualTo(new Refused<>(Reason.UNKNOWN_REDEMPTION));
    assertThat(release("order-1")).isEqualTo(new Refused<>(Reason.UNKNOWN_REDEMPTION));
    assertThat(undo("order-1")).isEqualTo(new Refused<>(Reason.UNKNOWN_REDEMPTION));
    assertState(UserCouponState.USED);
  }

  @Test
  void a_hold_has_a_minimum_and_a_maximum_duration() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> order("order-1", 1, Duration.ofMillis(999)))
        .withMessageContaining("PT1S");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> order("order-1", 1, Duration.ofDays(1).plusMillis(1)))
        .withMessageContaining("PT24H");
  }

  @Test
  @Timeout(60)
  void of_two_hundred_concurrent_orders_one_succeeds_and_the_others_are_refused() throws Exception {
    var answers = new ArrayList<UserCouponAnswer<RedemptionRefusal>>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var calls = new ArrayList<Callable<UserCouponAnswer<RedemptionRefusal>>>();
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
        .containsOnly(new Refused<>(expected));
    assertThat(stored().revision()).isEqualTo(2);
  }
}
