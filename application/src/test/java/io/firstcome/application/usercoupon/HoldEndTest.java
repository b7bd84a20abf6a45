package io.firstcome.application.usercoupon;

import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static io.firstcome.contracts.CouponFixtures.acceptedClaim;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.application.SettableClock;
import io.firstcome.application.coupon.InMemoryMaps;
import io.firstcome.application.usercoupon.RedemptionRefusal.Reason;
import io.firstcome.application.usercoupon.TakeUserCoupon.Order;
import io.firstcome.application.usercoupon.UserCouponAnswer.Done;
import io.firstcome.application.usercoupon.UserCouponAnswer.Refused;
import io.firstcome.contracts.CouponFixtures;
import io.firstcome.contracts.database.InMemoryDatabase;
import io.firstcome.domain.coupon.Money;
import io.firstcome.domain.shop.OrderId;
import io.firstcome.domain.shop.ShopId;
import io.firstcome.domain.usercoupon.Redeemer;
import io.firstcome.domain.usercoupon.RedemptionId;
import io.firstcome.domain.usercoupon.UserCoupon;
import io.firstcome.domain.usercoupon.UserCoupon.Held;
import io.firstcome.domain.usercoupon.UserCoupon.Used;
import io.firstcome.domain.usercoupon.UserCouponId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Currency;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Timeout;

/**
 * Alice's user coupon is held for one order, and two hundred other orders request it in a loop,
 * from before the end of the hold until after it.
 */
@Timeout(60)
class HoldEndTest {

  private static final int CALLERS = 200;
  private static final int ROUNDS = 10;
  private static final Duration TEN_MINUTES = Duration.ofMinutes(10);
  private static final Duration LAST_MOMENT = Duration.ofMillis(1);
  private static final Redeemer SHOP = new Redeemer.Shop(new ShopId("shop"), null);
  private static final OrderId HOLDER = new OrderId("holder");

  private final InMemoryDatabase database = new InMemoryDatabase();
  private final SettableClock clock = new SettableClock();
  private final TakeUserCoupon takeUserCoupon =
      new TakeUserCoupon(
          InMemoryMaps.catalog(database.coupons(), clock), database.userCoupons(), false, clock);
  private final EndRedemption endRedemption =
      new EndRedemption(database.userCoupons(), false, clock);
  private final UserCouponId id = issue();
  private final Instant end = hold();

  private UserCouponId issue() {
    var coupon = database.ports().define(aCoupon().build(), 1);
    var claim = acceptedClaim(coupon, "alice", 1, 1);
    database.userCoupons().record(List.of(claim));
    return CouponFixtures.codeKeys()
        .identityOf(coupon.codeKeyVersion(), coupon.id(), claim.userId())
        .id();
  }

  /** Holds the user coupon, and moves the clock to right before the end of the hold. */
  private Instant hold() {
    assertThat(take(HOLDER, TEN_MINUTES)).isInstanceOf(Done.class);
    clock.advance(TEN_MINUTES.minus(LAST_MOMENT));
    return clock.instant().plus(LAST_MOMENT);
  }

  private UserCouponAnswer<RedemptionRefusal> take(OrderId order, @Nullable Duration hold) {
    var amount = new Money(3_000, Currency.getInstance("EUR"));
    return takeUserCoupon.take(id, new Order(order, amount, hold), SHOP);
  }

  private UserCouponAnswer<RedemptionRefusal> confirm() {
    return endRedemption.confirm(new RedemptionId(id, HOLDER), SHOP);
  }

  /**
   * The first reply to a caller, before the end, and the last one, to a call that began after it.
   */
  private record Replies(
      UserCouponAnswer<RedemptionRefusal> first, UserCouponAnswer<RedemptionRefusal> last) {}

  private List<Future<Replies>> startCallers(ExecutorService threads) throws InterruptedException {
    var callers = new ArrayList<Future<Replies>>();
    var allHaveReplies = new CountDownLatch(CALLERS);
    for (int i = 0; i < CALLERS; i++) {
      var order = new OrderId("order-" + i);
      var hold = i % 2 == 0 ? TEN_MINUTES : null;
      callers.add(
          threads.submit(() -> requestUntilAfterTheEnd(() -> take(order, hold), allHaveReplies)));
    }
    allHaveReplies.await();
    return callers;
  }

  private Replies requestUntilAfterTheEnd(
      Supplier<UserCouponAnswer<RedemptionRefusal>> call, CountDownLatch allHaveReplies) {
    var first = call.get();
    allHaveReplies.countDown();
    while (clock.instant().isBefore(end)) {
      if (call.get() instanceof Done<RedemptionRefusal> done) {
        return new Replies(first, done);
      }
    }
    return new Replies(first, call.get());
  }

  private static List<UserCouponAnswer<RedemptionRefusal>> lastAnswers(
      List<Future<Replies>> callers) throws Exception {
    var answers = new ArrayList<UserCouponAnswer<RedemptionRefusal>>();
    for (var caller : callers) {
      var replies = caller.get();
      assertThat(replies.first()).isEqualTo(new Refused<>(Reason.HELD_BY_ANOTHER_ORDER));
      answers.add(replies.last());
    }
    return answers;
  }

  @RepeatedTest(ROUNDS)
  void no_other_order_succeeds_before_the_hold_ends_and_exactly_one_after_it() throws Exception {
    List<UserCouponAnswer<RedemptionRefusal>> answers;
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var callers = startCallers(threads);
      clock.advance(LAST_MOMENT);
      answers = lastAnswers(callers);
    }

    assertThat(answers).filteredOn(Done.class::isInstance).hasSize(1);
    var winner = stored();
    assertThat(takenAt(winner)).isEqualTo(end);
    UserCouponAnswer<RedemptionRefusal> refused =
        new Refused<>(winner instanceof Used ? Reason.ALREADY_USED : Reason.HELD_BY_ANOTHER_ORDER);
    assertThat(answers)
        .filteredOn(Refused.class::isInstance)
        .hasSize(CALLERS - 1)
        .containsOnly(refused);
    assertThat(confirm()).isEqualTo(refused);
    assertThat(stored()).isEqualTo(winner);
  }

  @RepeatedTest(ROUNDS)
  void of_all_orders_and_the_confirmation_at_the_end_of_the_hold_exactly_one_succeeds()
      throws Exception {
    List<UserCouponAnswer<RedemptionRefusal>> answers;
    UserCouponAnswer<RedemptionRefusal> confirmation;
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var callers = startCallers(threads);
      var start = new CyclicBarrier(2);
      var confirming =
          threads.submit(() -> {
            start.await();
            return confirm();
          });
      start.await();
      clock.advance(LAST_MOMENT);
      answers = lastAnswers(callers);
      confirmation = confirming.get();
    }

    boolean confirmed = confirmation instanceof Done;
    assertThat(answers).filteredOn(Done.class::isInstance).hasSize(confirmed ? 0 : 1);
    if (confirmed) {
      assertThat(takenAt(stored())).isBefore(end);
      assertThat(answers).containsOnly(new Refused<>(Reason.ALREADY_USED));
    } else {
      assertThat(takenAt(stored())).isEqualTo(end);
      assertThat(confirmation).isInstanceOf(Refused.class);
    }
  }

  private UserCoupon stored() {
    return database.userCoupons().find(id).orElseThrow();
  }

  private static Instant takenAt(UserCoupon userCoupon) {
    return switch (userCoupon) {
      case Used used -> used.usedAt();
      case Held held -> held.until().minus(TEN_MINUTES);
      default -> throw new AssertionError("not taken: " + userCoupon);
    };
  }
}
