package io.firstcome.application.usercoupon;

import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static io.firstcome.contracts.CouponFixtures.acceptedClaim;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.application.SettableClock;
import io.firstcome.application.coupon.InMemoryMaps;
import io.firstcome.contracts.database.InMemoryDatabase;
import io.firstcome.domain.coupon.Money;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.shop.OrderId;
import io.firstcome.domain.usercoupon.Redeemer;
import io.firstcome.domain.usercoupon.UserCoupon;
import io.firstcome.domain.usercoupon.UserCouponCursor;
import io.firstcome.domain.usercoupon.UserCouponState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Currency;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Five user coupons of alice, issued at the same time and valid for 30 days. */
class ListUserCouponsTest {

  private static final UserId ALICE = new UserId("alice");
  private static final List<String> ALL = List.of("C1", "C2", "C3", "C4", "C5");

  private final InMemoryDatabase database = new InMemoryDatabase();
  private final SettableClock clock = new SettableClock();
  private final ListUserCoupons list = new ListUserCoupons(database.userCoupons(), clock);
  private final List<UserCoupon> issued = ALL.stream().map(this::issue).toList();

  private UserCoupon issue(String couponId) {
    var coupon = database.ports().define(aCoupon().withId(couponId).build(), 1);
    database
        .userCoupons()
        .record(List.of(acceptedClaim(coupon, "alice", 1, 1), acceptedClaim(coupon, "bob", 2, 1)));
    return database.userCoupons().find(coupon.id(), ALICE).orElseThrow();
  }

  private ListUserCoupons.Page page(
      @Nullable UserCouponState state, @Nullable UserCouponCursor after, int max) {
    return list.page(ALICE, state, after, max);
  }

  private static List<String> names(ListUserCoupons.Page page) {
    return page.items().stream().map(one -> one.couponId().value()).toList();
  }

  @Test
  void each_page_except_the_last_has_the_cursor_of_the_next_page() {
    var first = page(null, null, 2);
    var second = page(null, first.next(), 2);
    var third = page(null, second.next(), 2);

    assertThat(names(first)).containsExactly("C1", "C2");
    assertThat(names(second)).containsExactly("C3", "C4");
    assertThat(names(third)).containsExactly("C5");
    assertThat(third.next()).isNull();
    assertThat(page(null, null, 5).next()).isNull();
    assertThat(page(null, null, 6).next()).isNull();
    assertThat(page(null, null, 4).next()).isEqualTo(UserCouponCursor.of(issued.get(3)));
  }

  @Test
  void pages_of_any_size_list_each_user_coupon_once() {
    for (int size = 1; size <= 6; size++) {
      var all = new ArrayList<String>();
      var page = page(null, null, size);
      all.addAll(names(page));
      while (page.next() != null) {
        page = page(null, page.next(), size);
        all.addAll(names(page));
      }
      assertThat(all).isEqualTo(ALL);
    }
  }

  @Test
  void user_coupons_are_listed_with_their_current_state() {
    var take =
        new TakeUserCoupon(
            InMemoryMaps.catalog(database.coupons(), clock), database.userCoupons(), true, clock);
    var order =
        new TakeUserCoupon.Order(
            new OrderId("order-1"),
            new Money(3_000, Currency.getInstance("EUR")),
            Duration.ofMinutes(10));
    take.take(issued.getFirst().id(), order, new Redeemer.Owner(ALICE));
    assertThat(names(page(UserCouponState.HELD, null, 9))).containsExactly("C1");

    clock.advance(Duration.ofMinutes(10));
    assertThat(names(page(UserCouponState.HELD, null, 9))).isEmpty();
    assertThat(page(UserCouponState.ISSUED, null, 9).items())
        .hasSize(5)
        .allMatch(UserCoupon.Issued.class::isInstance);

    clock.advance(Duration.ofDays(30));
    assertThat(page(null, null, 9).items())
        .hasSize(5)
        .allMatch(UserCoupon.Expired.class::isInstance);
    assertThat(names(page(UserCouponState.EXPIRED, null, 9))).isEqualTo(ALL);
    assertThat(names(page(UserCouponState.ISSUED, null, 9))).isEmpty();
  }

  @Test
  void a_user_sees_only_their_own_user_coupons() {
    assertThat(list.page(new UserId("carl"), null, null, 9).items()).isEmpty();
    assertThat(list.page(new UserId("bob"), null, null, 9).items())
        .hasSize(5)
        .allMatch(one -> one.userId().value().equals("bob"));
  }
}
