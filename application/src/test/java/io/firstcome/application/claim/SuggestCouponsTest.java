package io.firstcome.application.claim;

import static io.firstcome.contracts.CouponFixtures.OPERATOR;
import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.application.InMemoryService;
import io.firstcome.application.claim.SuggestCoupons.Suggestion;
import io.firstcome.contracts.CouponFixtures;
import io.firstcome.contracts.CouponFixtures.CouponBuilder;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.Discount;
import io.firstcome.domain.coupon.Money;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.usercoupon.Actor;
import java.time.Duration;
import java.time.Instant;
import java.util.Currency;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SuggestCouponsTest {

  private static final Currency EUR = Currency.getInstance("EUR");
  private static final Money ORDER = new Money(2_000, EUR);
  private static final UserId ANN = new UserId("ann");

  private final InMemoryService service =
      InMemoryService.with(worth("FIVE", 500).withTotal(1).build());

  private static CouponBuilder worth(String id, long minorUnits) {
    return aCoupon().withId(id).withDiscount(new Discount.Amount(new Money(minorUnits, EUR)));
  }

  private Coupon define(CouponBuilder builder) {
    var coupon = builder.build();
    service.defineCoupon.define(coupon.definition(), null, OPERATOR);
    return coupon;
  }

  private List<String> suggested() {
    return service.suggestCoupons.suggest(ANN, ORDER).stream()
        .map(each -> each.coupon().id() + " " + each.discount().minorUnits())
        .toList();
  }

  @Test
  void the_coupons_with_the_highest_discount_come_first_and_then_those_that_end_first() {
    var now = Instant.now();
    define(worth("SEVEN", 700));
    define(worth("SOON", 500).opening(now.minusSeconds(9), now.plusSeconds(60)));
    define(worth("LARGE", 9_000));
    define(worth("MINIMUM", 900).withMinimumOrder(new Money(2_001, EUR)));
    define(worth("LATER", 900).opening(now.plusSeconds(60), now.plusSeconds(90)));
    define(worth("OVER", 900).opening(now.minusSeconds(60), now.minusSeconds(30)));
    service.changeCoupon.change(define(worth("PAUSED", 900)).id(), Coupon::pause, OPERATOR);

    assertThat(suggested()).containsExactly("LARGE 2000", "SEVEN 700", "SOON 500", "FIVE 500");
  }

  @Test
  void what_the_user_has_claimed_or_is_sold_out_is_not_suggested() {
    var mine = define(worth("MINE", 900));
    var given = define(worth("GIVEN", 900));
    service.claim(mine, "ann");
    service.claim(given, "ann");
    service.relayAndRecord();
    service.giveBackUserCoupon.giveBack(
        service.row(given, "ann").orElseThrow().id(), Actor.customer(ANN));
    service.claim(define(worth("GONE", 800).withTotal(1)), "bob");

    assertThat(suggested()).containsExactly("FIVE 500");
  }

  @Test
  void at_most_ten_are_suggested() {
    for (int i = 0; i < SuggestCoupons.MAX_CONSIDERED + 5; i++) {
      define(worth("EACH-" + i, 100));
    }
    assertThat(suggested()).hasSize(SuggestCoupons.MAX_SUGGESTED).startsWith("FIVE 500");
  }

  @Test
  void while_the_stock_is_not_reachable_the_free_slots_are_not_known() {
    service.stock.restart();

    assertThat(service.suggestCoupons.suggest(ANN, ORDER))
        .extracting(Suggestion::remaining)
        .containsExactly(Optional.empty());
  }

  @Test
  void a_coupon_without_a_stock_does_not_hide_the_free_slots_of_others() {
    service
        .database
        .coupons()
        .addIfAbsent(worth("NO-STOCK", 900).build(), OPERATOR, CouponFixtures.ACCEPTED_AT);

    assertThat(service.suggestCoupons.suggest(ANN, ORDER))
        .extracting(Suggestion::remaining)
        .containsExactly(Optional.empty(), Optional.of(1));
    assertThat(service.findClaim.findAll(ids("NO-STOCK", "FIVE"), ANN))
        .containsOnly(Map.entry(new CouponId("FIVE"), new FindClaim.Result.None()));
  }

  private static Set<CouponId> ids(String... ids) {
    return Stream.of(ids).map(CouponId::new).collect(Collectors.toCollection(LinkedHashSet::new));
  }

  /** Another instance reads them again after some seconds. */
  @Test
  void coupons_are_read_once_in_some_seconds_for_all_users() {
    assertThat(suggested()).containsExactly("FIVE 500");
    define(worth("NEW", 900));
    assertThat(suggested()).containsExactly("FIVE 500");

    service.timePasses(Duration.ofSeconds(5));
    assertThat(suggested()).containsExactly("NEW 900", "FIVE 500");
  }
}
