package io.firstcome.application.usercoupon;

import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static io.firstcome.contracts.CouponFixtures.acceptedClaim;
import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.application.LimitsForTests;
import io.firstcome.application.SettableClock;
import io.firstcome.application.coupon.InMemoryMaps;
import io.firstcome.application.usercoupon.RedemptionRefusal.Reason;
import io.firstcome.application.usercoupon.TakeByCode.Presenter;
import io.firstcome.application.usercoupon.TakeByCode.Result;
import io.firstcome.application.usercoupon.TakeUserCoupon.Order;
import io.firstcome.application.usercoupon.UserCouponAnswer.Done;
import io.firstcome.application.usercoupon.UserCouponAnswer.DoneBefore;
import io.firstcome.application.usercoupon.UserCouponAnswer.Refused;
import io.firstcome.contracts.database.InMemoryDatabase;
import io.firstcome.domain.coupon.Money;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.port.WrongCodes;
import io.firstcome.domain.shop.CodeSource;
import io.firstcome.domain.shop.OrderId;
import io.firstcome.domain.shop.ShopId;
import io.firstcome.domain.usercoupon.Redeemer;
import io.firstcome.domain.usercoupon.UserCoupon;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Currency;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * A shop takes alice's user coupon by its code; within a minute 20 wrong codes lock a customer or
 * an address out, and 50 the shop.
 */
class TakeByCodeTest {

  private static final Redeemer.Shop SHOP = new Redeemer.Shop(new ShopId("berlin"), null);
  private static final Redeemer.Shop OTHER_SHOP = new Redeemer.Shop(new ShopId("london"), null);
  private static final Presenter EVE = new Presenter("eve", null);
  private static final Presenter ANN = new Presenter("ann", null);
  private static final String UNKNOWN_CODE = "0000-0000-0000-0000";
  private static final int LIMIT = 20;
  private static final int LIMIT_OF_SHOP = 50;

  private final InMemoryDatabase database = new InMemoryDatabase();
  private final SettableClock clock = new SettableClock();
  private final TakeUserCoupon takeUserCoupon =
      new TakeUserCoupon(
          InMemoryMaps.catalog(database.coupons(), clock), database.userCoupons(), false, clock);
  private final TakeByCode takeByCode =
      new TakeByCode(
          takeUserCoupon,
          database.userCoupons(),
          database.wrongCodes(),
          clock,
          LimitsForTests.small().userCoupons());
  private final UserCoupon alices = issue();
  private final String code = alices.identity().code().value();

  private UserCoupon issue() {
    var coupon = database.ports().define(aCoupon().build(), 1);
    database.userCoupons().record(List.of(acceptedClaim(coupon, "alice", 1, 1)));
    return database.userCoupons().find(coupon.id(), new UserId("alice")).orElseThrow();
  }

  private static Order order(String orderId) {
    return new Order(new OrderId(orderId), new Money(3_000, Currency.getInstance("EUR")), null);
  }

  private Result take(String typed) {
    return take(typed, EVE);
  }

  private Result take(String typed, Presenter presenter) {
    return takeByCode.take(typed, order("order-1"), presenter, SHOP);
  }

  private static CodeSource customer(String name) {
    return new CodeSource(SHOP.id(), CodeSource.Kind.CUSTOMER, name);
  }

  private Map<CodeSource, Integer> counts(CodeSource... sources) {
    return database.wrongCodes().find(List.of(sources)).entrySet().stream()
        .collect(toMap(Map.Entry::getKey, entry -> entry.getValue().number()));
  }

  private void tryWrongCodes(int times) {
    for (int i = 0; i < times; i++) {
      assertThat(take(UNKNOWN_CODE)).isEqualTo(new Result.UnknownCode());
    }
  }

  @Test
  void a_user_coupon_is_used_by_its_code_in_any_accepted_notation() {
    var typed = code.toLowerCase(Locale.ROOT).replaceAll("(....)", "$1-");

    assertThat(take(typed))
        .isInstanceOfSatisfying(
            Result.Known.class, known -> assertThat(known.answer()).isInstanceOf(Done.class));
    var used = database.userCoupons().find(alices.id()).orElseThrow();
    assertThat(take(code)).isEqualTo(new Result.Known(new DoneBefore<>(used)));
    assertThat(takeByCode.take(code, order("order-2"), EVE, OTHER_SHOP))
        .isEqualTo(new Result.Known(new Refused<>(Reason.ALREADY_USED)));
  }

  @Test
  void unknown_and_malformed_codes_are_answered_and_counted_alike() {
    assertThat(take(UNKNOWN_CODE)).isEqualTo(new Result.UnknownCode());
    assertThat(take("")).isEqualTo(new Result.UnknownCode());
    assertThat(take("hello")).isEqualTo(new Result.UnknownCode());

    assertThat(counts(CodeSource.of(SHOP.id()), customer("eve")))
        .isEqualTo(Map.of(CodeSource.of(SHOP.id()), 3, customer("eve"), 3));
  }

  @Test
  void a_correct_code_is_not_counted_as_wrong_even_if_the_use_is_refused() {
    takeUserCoupon.take(alices.id(), order("order-2"), OTHER_SHOP);

    assertThat(take(code)).isEqualTo(new Result.Known(new Refused<>(Reason.ALREADY_USED)));
    assertThat(counts(CodeSource.of(SHOP.id()), customer("eve"))).isEmpty();
  }

  @Test
  void after_twenty_wrong_codes_every_code_is_refused_until_the_minute_ends() {
    tryWrongCodes(1);
    clock.advance(Duration.ofSeconds(50));
    tryWrongCodes(LIMIT - 1);

    assertThat(take(code)).isEqualTo(new Result.LockedOut(Duration.ofSeconds(10)));
    clock.advance(Duration.ofMillis(9_999));
    assertThat(take(UNKNOWN_CODE)).isEqualTo(new Result.LockedOut(Duration.ofMillis(1)));
    assertThat(database.userCoupons().find(alices.id())).contains(alices);

    clock.advance(Duration.ofMillis(1));
    assertThat(take(code)).isInstanceOf(Result.Known.class);
  }

  @Test
  void nineteen_wrong_codes_do_not_lock_the_caller_out_and_each_minute_is_counted_separately() {
    tryWrongCodes(LIMIT - 1);
    clock.advance(Duration.ofMinutes(1));
    tryWrongCodes(LIMIT - 1);

    assertThat(take(code)).isInstanceOf(Result.Known.class);
  }

  @Test
  void attempts_during_a_lockout_do_not_extend_it() {
    tryWrongCodes(LIMIT);
    for (int i = 0; i < LIMIT; i++) {
      assertThat(take(UNKNOWN_CODE)).isInstanceOf(Result.LockedOut.class);
    }

    clock.advance(Duration.ofMinutes(1));
    assertThat(take(UNKNOWN_CODE)).isEqualTo(new Result.UnknownCode());
    assertThat(counts(customer("eve"))).isEqualTo(Map.of(customer("eve"), 1));
  }

  @Test
  void during_a_lockout_ids_are_accepted_and_codes_of_other_callers_are_accepted() {
    tryWrongCodes(LIMIT);

    assertThat(takeUserCoupon.take(alices.id(), order("order-1"), SHOP)).isInstanceOf(Done.class);
    assertThat(takeByCode.take(code, order("order-1"), EVE, OTHER_SHOP))
        .isInstanceOf(Result.Known.class);
  }

  @Test
  void wrong_codes_of_one_customer_or_address_do_not_lock_out_the_others() {
    var address = new Presenter(null, "192.0.2.1");
    tryWrongCodes(LIMIT);
    for (int i = 0; i < LIMIT; i++) {
      assertThat(take(UNKNOWN_CODE, address)).isEqualTo(new Result.UnknownCode());
    }

    assertThat(take(code, EVE)).isInstanceOf(Result.LockedOut.class);
    assertThat(take(code, address)).isInstanceOf(Result.LockedOut.class);
    assertThat(take(code, new Presenter("ann", "192.0.2.1"))).isInstanceOf(Result.LockedOut.class);
    assertThat(take(UNKNOWN_CODE, new Presenter("ann", "192.0.2.2")))
        .isEqualTo(new Result.UnknownCode());
    assertThat(take(code, ANN)).isInstanceOf(Result.Known.class);
  }

  @Test
  void wrong_codes_of_many_customers_lock_out_the_shop() {
    for (int i = 0; i < LIMIT_OF_SHOP; i++) {
      assertThat(take(UNKNOWN_CODE, new Presenter("customer-" + i, null)))
          .isEqualTo(new Result.UnknownCode());
    }

    assertThat(take(code, ANN)).isInstanceOf(Result.LockedOut.class);
    assertThat(take(code, new Presenter(null, null))).isInstanceOf(Result.LockedOut.class);
    assertThat(takeByCode.take(code, order("order-1"), ANN, OTHER_SHOP))
        .isInstanceOf(Result.Known.class);
  }

  @Test
  void of_many_concurrent_wrong_codes_only_twenty_are_answered_as_unknown() {
    var withoutCheck =
        new TakeByCode(
            takeUserCoupon,
            database.userCoupons(),
            new HiddenCount(database.wrongCodes()),
            clock,
            LimitsForTests.small().userCoupons());
    var results = new ArrayList<Result>();
    for (int i = 0; i < 3 * LIMIT; i++) {
      results.add(withoutCheck.take(UNKNOWN_CODE, order("order-1"), EVE, SHOP));
    }

    assertThat(results.subList(0, LIMIT)).containsOnly(new Result.UnknownCode());
    assertThat(results.subList(LIMIT, results.size()))
        .containsOnly(new Result.LockedOut(Duration.ofMinutes(1)));
  }

  /** Counts wrong codes, but reports no count when it is read. */
  private record HiddenCount(WrongCodes inner) implements WrongCodes {

    @Override
    public Map<CodeSource, Count> find(Collection<CodeSource> sources) {
      return Map.of();
    }

    @Override
    public Map<CodeSource, Count> add(
        Collection<CodeSource> sources, Instant now, Duration window) {
      return inner.add(sources, now, window);
    }

    @Override
    public int forget(Duration window, int max) {
      return inner.forget(window, max);
    }
  }
}
