package io.firstcome.application.usercoupon;

import static io.firstcome.contracts.CouponFixtures.ACCEPTED_AT;
import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static io.firstcome.contracts.CouponFixtures.acceptedClaim;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.application.Interposed;
import io.firstcome.application.SettableClock;
import io.firstcome.application.coupon.CouponCatalog;
import io.firstcome.application.coupon.InMemoryMaps;
import io.firstcome.application.usercoupon.TakeUserCoupon.Order;
import io.firstcome.contracts.CouponFixtures.CouponBuilder;
import io.firstcome.contracts.database.InMemoryDatabase;
import io.firstcome.domain.coupon.Discount;
import io.firstcome.domain.coupon.Money;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.port.CouponRepository;
import io.firstcome.domain.shop.OrderId;
import io.firstcome.domain.usercoupon.Offer;
import io.firstcome.domain.usercoupon.Offer.Applicable;
import io.firstcome.domain.usercoupon.Offer.NotApplicable;
import io.firstcome.domain.usercoupon.Offer.Reason;
import io.firstcome.domain.usercoupon.Quote;
import io.firstcome.domain.usercoupon.Redeemer;
import io.firstcome.domain.usercoupon.UserCoupon;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Currency;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The discounts of alice's user coupons for orders, at different times. */
class QuoteUserCouponsTest {

  private static final Currency EUR = Currency.getInstance("EUR");
  private static final UserId ALICE = new UserId("alice");
  private static final OrderId ORDER = new OrderId("order-1");

  private final InMemoryDatabase database = new InMemoryDatabase();
  private final SettableClock clock = new SettableClock();
  private final CouponCatalog catalog = InMemoryMaps.catalog(database.coupons(), clock);
  private final QuoteUserCoupons quoteUserCoupons =
      new QuoteUserCoupons(catalog, database.userCoupons(), clock);
  private final TakeUserCoupon takeUserCoupon =
      new TakeUserCoupon(catalog, database.userCoupons(), true, clock);

  private UserCoupon issue(CouponBuilder builder) {
    var coupon = database.ports().define(builder.build(), 1);
    database
        .userCoupons()
        .record(List.of(acceptedClaim(coupon, "alice", 1, 1), acceptedClaim(coupon, "bob", 2, 1)));
    return database.userCoupons().find(coupon.id(), ALICE).orElseThrow();
  }

  private static CouponBuilder worth(String couponId, long minorUnits) {
    return aCoupon().withId(couponId).withDiscount(new Discount.Amount(eur(minorUnits)));
  }

  private static Money eur(long minorUnits) {
    return new Money(minorUnits, EUR);
  }

  private Quote quote(Money amount) {
    return quoteUserCoupons.quote(ALICE, ORDER, amount);
  }

  private void take(UserCoupon userCoupon, String orderId, @Nullable Duration hold) {
    var order = new Order(new OrderId(orderId), eur(3_000), hold);
    assertThat(takeUserCoupon.take(userCoupon.id(), order, new Redeemer.Owner(ALICE)))
        .isInstanceOf(UserCouponAnswer.Done.class);
  }

  private Offer offer(UserCoupon userCoupon) {
    return quote(eur(3_000)).offers().stream()
        .filter(one -> one.userCoupon().id().equals(userCoupon.id()))
        .findFirst()
        .orElseThrow();
  }

  private void assertUsable(UserCoupon userCoupon) {
    assertThat(offer(userCoupon)).isInstanceOf(Applicable.class);
  }

  private void assertNotUsable(UserCoupon userCoupon) {
    assertThat(offer(userCoupon))
        .isInstanceOfSatisfying(
            NotApplicable.class, one -> assertThat(one.reason()).isEqualTo(Reason.NOT_USABLE));
  }

  @Test
  void the_quote_lists_all_user_coupons_of_the_user_with_the_best_first() {
    var five = issue(worth("FIVE", 500));
    var nine = issue(worth("NINE", 900));
    var large = issue(worth("LARGE", 2_000).withMinimumOrder(eur(5_000)));

    var quote = quote(eur(3_000));

    assertThat(quote.best()).contains(new Applicable(nine, eur(900)));
    assertThat(quote.offers())
        .containsExactly(
            new Applicable(nine, eur(900)),
            new Applicable(five, eur(500)),
            new NotApplicable(large, Reason.BELOW_MINIMUM));
    assertThat(quote(eur(5_000)).best()).contains(new Applicable(large, eur(2_000)));
    assertThat(quote(new Money(5_000, Currency.getInstance("JPY"))).best()).isEmpty();
  }

  @Test
  void a_user_without_user_coupons_gets_an_empty_quote() {
    issue(worth("FIVE", 500));

    assertThat(quoteUserCoupons.quote(new UserId("carl"), ORDER, eur(3_000)))
        .isEqualTo(new Quote(eur(3_000), List.of()));
  }

  @Test
  void a_held_user_coupon_is_applicable_only_to_its_order_until_the_hold_ends() {
    var own = issue(worth("OWN", 500));
    var others = issue(worth("OTHERS", 900));
    take(own, ORDER.value(), Duration.ofMinutes(10));
    take(others, "order-2", Duration.ofMinutes(10));

    assertUsable(own);
    assertNotUsable(others);
    clock.advance(Duration.ofMinutes(10));
    assertUsable(own);
    assertUsable(others);
  }

  @Test
  void a_user_coupon_used_on_the_same_order_is_not_applicable() {
    var own = issue(worth("OWN", 500));
    take(own, ORDER.value(), null);

    assertNotUsable(own);
  }

  @Test
  void a_user_coupon_is_applicable_until_the_instant_at_which_its_validity_ends() {
    var end = ACCEPTED_AT.plus(Duration.ofHours(1));
    var own = issue(worth("OWN", 500).endingAt(end));
    clock.advance(Duration.ofHours(1).minusMillis(1));
    assertUsable(own);

    clock.advance(Duration.ofMillis(1));
    assertNotUsable(own);
  }

  @Test
  void a_user_coupon_held_for_the_order_beyond_its_validity_is_applicable() {
    var end = ACCEPTED_AT.plus(Duration.ofMinutes(1));
    var own = issue(worth("OWN", 500).endingAt(end));
    take(own, ORDER.value(), Duration.ofMinutes(10));

    clock.advance(Duration.ofMinutes(9));
    assertUsable(own);
    clock.advance(Duration.ofMinutes(1));
    assertNotUsable(own);
  }

  @Test
  void the_coupons_of_a_quote_are_read_with_one_query() {
    for (int i = 0; i < 30; i++) {
      issue(worth("MANY-%04d".formatted(i), 500));
    }
    var queries = new ArrayList<String>();
    var counted =
        new Interposed((method, _, call) -> {
          queries.add(method.getName());
          return call.call();
        });
    var repository = counted.port(CouponRepository.class, database.coupons());
    var quotes =
        new QuoteUserCoupons(
            InMemoryMaps.catalog(repository, clock), database.userCoupons(), clock);

    assertThat(quotes.quote(ALICE, ORDER, eur(3_000)).offers()).hasSize(30);
    assertThat(queries).containsExactly("findAll");
    assertThat(quotes.quote(ALICE, ORDER, eur(3_000)).offers()).hasSize(30);
    assertThat(queries).hasSize(1);
  }

  @Test
  void with_too_many_user_coupons_the_unusable_ones_are_omitted_first() {
    var used = issue(worth("A-USED", 900));
    take(used, "order-2", null);
    for (int i = 0; i < QuoteUserCoupons.MAX_CONSIDERED; i++) {
      issue(worth("MANY-%04d".formatted(i), 500));
    }

    assertThat(quote(eur(3_000)).offers())
        .hasSize(QuoteUserCoupons.MAX_CONSIDERED)
        .allMatch(Applicable.class::isInstance);
  }
}
