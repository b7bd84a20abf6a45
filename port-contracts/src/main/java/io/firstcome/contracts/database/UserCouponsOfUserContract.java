package io.firstcome.contracts.database;

import static io.firstcome.contracts.CouponFixtures.ACCEPTED_AT;
import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.domain.coupon.Money;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.port.UserCouponRepository;
import io.firstcome.domain.shop.OrderId;
import io.firstcome.domain.usercoupon.AcceptedClaim;
import io.firstcome.domain.usercoupon.Actor;
import io.firstcome.domain.usercoupon.CouponCode;
import io.firstcome.domain.usercoupon.Redemption;
import io.firstcome.domain.usercoupon.UserCoupon;
import io.firstcome.domain.usercoupon.UserCoupon.Held;
import io.firstcome.domain.usercoupon.UserCoupon.Issued;
import io.firstcome.domain.usercoupon.UserCouponChange;
import io.firstcome.domain.usercoupon.UserCouponCursor;
import io.firstcome.domain.usercoupon.UserCouponState;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Currency;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** How every {@link UserCouponRepository} reads the user coupons of one user. */
public abstract class UserCouponsOfUserContract extends DatabaseContract {

  private static final UserId ALICE = new UserId("alice");
  private static final Instant NOW = ACCEPTED_AT.plus(Duration.ofDays(1));
  private static final Instant LATER = NOW.plusSeconds(60);
  private static final Actor ACTOR = Actor.customer(ALICE);

  private UserCouponRepository userCoupons() {
    return database().userCoupons();
  }

  /** A user coupon of alice, of a new coupon that is also issued to bob and Alice. */
  private Issued issued(String couponId, Instant acceptedAt, Instant until) {
    var coupon = defined(aCoupon().withId(couponId).endingAt(until));
    record(
        acceptedAt(claim(coupon, "alice", 1), acceptedAt),
        acceptedAt(claim(coupon, "bob", 2), acceptedAt),
        acceptedAt(claim(coupon, "Alice", 3), acceptedAt));
    return (Issued) userCoupons().find(coupon.id(), ALICE).orElseThrow();
  }

  private Issued issued(String couponId, Instant acceptedAt) {
    return issued(couponId, acceptedAt, NOW.plus(Duration.ofDays(30)));
  }

  private static AcceptedClaim acceptedAt(AcceptedClaim claim, Instant time) {
    return new AcceptedClaim(
        claim.couponId(),
        claim.userId(),
        claim.slot(),
        claim.partition(),
        claim.epoch(),
        time,
        claim.identity());
  }

  private static Redemption redemption() {
    var eur = Currency.getInstance("EUR");
    return new Redemption(new OrderId("order-1"), new Money(2_000, eur), new Money(500, eur));
  }

  private UserCoupon changed(UserCoupon before, UserCoupon after) {
    assertThat(userCoupons().change(new UserCouponChange(before, after, ACTOR, NOW))).isTrue();
    return after;
  }

  private List<UserCoupon> page(@Nullable UserCouponState state, Instant now) {
    return userCoupons().page(ALICE, state, now, null, PAGE);
  }

  /** All pages of that size, one after the other. */
  private List<UserCoupon> paged(@Nullable UserCouponState state, int size) {
    var all = new ArrayList<UserCoupon>();
    var page = userCoupons().page(ALICE, state, NOW, null, size);
    while (!page.isEmpty()) {
      assertThat(page).hasSizeLessThanOrEqualTo(size);
      all.addAll(page);
      page = userCoupons().page(ALICE, state, NOW, UserCouponCursor.of(page.getLast()), size);
    }
    return all;
  }

  @Test
  void user_coupons_of_a_user_are_sorted_newest_first_and_then_by_id() {
    var oldest = issued("D-OLDEST", ACCEPTED_AT.minusMillis(1));
    var tieB = issued("TIE-B", ACCEPTED_AT);
    var tieA = issued("TIE-A", ACCEPTED_AT);
    var tieC = issued("TIE-C", ACCEPTED_AT);
    var newest = issued("E-NEWEST", ACCEPTED_AT.plusMillis(1));
    var expected = List.of(newest, tieA, tieB, tieC, oldest);

    assertThat(page(null, NOW)).isEqualTo(expected);
    for (int size = 1; size <= expected.size() + 1; size++) {
      assertThat(paged(null, size)).as("pages of %d", size).isEqualTo(expected);
    }
  }

  @Test
  void user_coupons_of_the_same_millisecond_are_distinguished() {
    var earlier = issued("EARLIER", ACCEPTED_AT.plus(1, ChronoUnit.MICROS));
    var later = issued("LATER", ACCEPTED_AT.plus(2, ChronoUnit.MICROS));

    assertThat(paged(null, 1)).containsExactly(later, earlier);
  }

  @Test
  void a_cursor_between_user_coupons_is_valid() {
    var older = issued("OLDER", ACCEPTED_AT);
    var newer = issued("NEWER", ACCEPTED_AT.plusMillis(2));
    var between = new UserCouponCursor(ACCEPTED_AT.plusMillis(1), newer.id());

    assertThat(userCoupons().page(ALICE, null, NOW, between, PAGE)).containsExactly(older);
    var last = UserCouponCursor.of(older);
    assertThat(userCoupons().page(ALICE, null, NOW, last, PAGE)).isEmpty();
  }

  @Test
  void a_user_without_user_coupons_has_an_empty_page() {
    issued("SOMETHING", ACCEPTED_AT);

    assertThat(userCoupons().page(new UserId("carl"), null, NOW, null, PAGE)).isEmpty();
    assertThat(userCoupons().usableFirst(new UserId("carl"), PAGE)).isEmpty();
  }

  /** User coupons with different histories, by their state at {@link #NOW}. */
  private Map<UserCouponState, List<UserCoupon>> allStates() {
    var issued = issued("ISSUED", ACCEPTED_AT);
    var lastMoment = issued("LAST-MOMENT", ACCEPTED_AT, NOW.plusMillis(1));
    var over = issued("OVER", ACCEPTED_AT, NOW);
    var forHold = issued("HELD", ACCEPTED_AT);
    var held = changed(forHold, forHold.hold(redemption(), NOW.plusMillis(1)));
    var forLongHold = issued("HELD-BEYOND", ACCEPTED_AT, NOW);
    var heldBeyond = changed(forLongHold, forLongHold.hold(redemption(), LATER));
    var forOldHold = issued("HOLD-OVER", ACCEPTED_AT);
    var holdOver = changed(forOldHold, forOldHold.hold(redemption(), NOW));
    var forLostHold = issued("HOLD-AND-ALL-OVER", ACCEPTED_AT, NOW);
    var allOver = changed(forLostHold, forLostHold.hold(redemption(), NOW));
    var forUse = issued("USED", ACCEPTED_AT, NOW);
    var used = changed(forUse, forUse.use(redemption(), NOW));
    var forExpiry = issued("EXPIRED", ACCEPTED_AT, NOW);
    var expired = changed(forExpiry, forExpiry.expire());
    var forReturn = issued("RETURNED", ACCEPTED_AT, NOW);
    var returned = changed(forReturn, forReturn.giveBack(NOW, false));
    var forRevocation = issued("REVOKED", ACCEPTED_AT, NOW);
    var revoked = changed(forRevocation, forRevocation.revoke("fraud", NOW, false));
    return Map.of(
        UserCouponState.ISSUED, List.of(issued, lastMoment, holdOver),
        UserCouponState.HELD, List.of(held, heldBeyond),
        UserCouponState.USED, List.of(used),
        UserCouponState.EXPIRED, List.of(over, allOver, expired),
        UserCouponState.RETURNED, List.of(returned),
        UserCouponState.REVOKED, List.of(revoked));
  }

  @Test
  void pages_of_a_state_use_the_state_at_the_given_time_and_not_the_recorded_state() {
    var byState = allStates();

    for (var state : UserCouponState.values()) {
      assertThat(page(state, NOW))
          .as("%s", state)
          .containsExactlyInAnyOrderElementsOf(byState.get(state));
    }
  }

  @Test
  void at_each_time_every_user_coupon_is_found_in_exactly_its_state() {
    allStates();
    var all = page(null, NOW);
    assertThat(all).hasSize(11);

    for (var time : List.of(NOW.minusMillis(1), NOW, NOW.plusMillis(1), LATER, NOW.plusMillis(2))) {
      for (var state : UserCouponState.values()) {
        assertThat(page(state, time))
            .as("%s at %s", state, time)
            .isEqualTo(all.stream().filter(one -> one.at(time).state() == state).toList());
      }
    }
  }

  @Test
  void pages_of_a_state_are_full() {
    var wanted = new ArrayList<UserCoupon>();
    for (int i = 0; i < 6; i++) {
      var one = issued("COUPON-" + i, ACCEPTED_AT.minusMillis(i / 2));
      if (i % 2 == 0) {
        changed(one, one.expire());
      } else {
        wanted.add(one);
      }
    }

    assertThat(userCoupons().page(ALICE, UserCouponState.ISSUED, NOW, null, 2))
        .isEqualTo(wanted.subList(0, 2));
    assertThat(paged(UserCouponState.ISSUED, 2)).isEqualTo(wanted);
  }

  @Test
  void issued_and_held_user_coupons_come_before_newer_used_and_expired_ones() {
    var old = issued("OLD", ACCEPTED_AT.minusMillis(4), NOW);
    var forHold = issued("OLDEST", ACCEPTED_AT.minusMillis(5));
    var held = (Held) changed(forHold, forHold.hold(redemption(), NOW));
    var forUse = issued("NEWEST", ACCEPTED_AT);
    var used = changed(forUse, forUse.use(redemption(), NOW));
    var forExpiry = issued("NEWER", ACCEPTED_AT.minusMillis(1));
    var expired = changed(forExpiry, forExpiry.expire());
    var tieB = issued("TIE-B", ACCEPTED_AT.minusMillis(2));
    var tieA = issued("TIE-A", ACCEPTED_AT.minusMillis(2));

    assertThat(userCoupons().usableFirst(ALICE, PAGE))
        .containsExactly(tieA, tieB, old, held, used, expired);
    assertThat(userCoupons().usableFirst(ALICE, 3)).containsExactly(tieA, tieB, old);
  }

  @Test
  void a_user_coupon_is_found_by_its_code_in_any_state() {
    var issued = issued("COUPON", ACCEPTED_AT);
    issued("OTHER", ACCEPTED_AT);
    assertThat(userCoupons().find(issued.identity().code())).contains(issued);

    var used = changed(issued, issued.use(redemption(), NOW));
    assertThat(userCoupons().find(issued.identity().code())).contains(used);
    assertThat(userCoupons().find(new CouponCode("0".repeat(16)))).isEmpty();
  }
}
