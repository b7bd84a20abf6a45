package io.firstcome.contracts.database;

import static io.firstcome.contracts.CouponFixtures.ACCEPTED_AT;
import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.issuance.SlotOwner;
import io.firstcome.domain.port.UserCouponRepository;
import io.firstcome.domain.usercoupon.AcceptedClaim;
import io.firstcome.domain.usercoupon.RecordOutcome;
import io.firstcome.domain.usercoupon.UserCoupon;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What every {@link UserCouponRepository} reads, and the result of concurrent writes. */
public abstract class UserCouponRepositoryContract extends DatabaseContract {

  private static final int BATCH = 200;
  private static final int ROUNDS = 10;

  private UserCouponRepository userCoupons() {
    return database().userCoupons();
  }

  private static UserCoupon issued(Coupon coupon, AcceptedClaim claim) {
    return UserCoupon.Issued.of(claim, coupon.definition().validity(), 1, 1);
  }

  @Test
  void a_recorded_claim_is_found_with_identity_slot_and_time_of_acceptance() {
    var coupon = defined(aCoupon().inPartition(9));
    var claim = claim(coupon, "alice", 5);
    record(claim);

    assertThat(userCoupons().find(coupon.id(), user("alice"))).contains(issued(coupon, claim));
    assertThat(userCoupons().find(coupon.id(), user("Alice"))).isEmpty();
    assertThat(userCoupons().find(UNKNOWN, user("alice"))).isEmpty();
  }

  @Test
  void the_user_coupons_of_a_user_are_found_by_their_coupons() {
    var first = defined(aCoupon().withId("FIRST").returningToStock());
    var second = defined(aCoupon().withId("SECOND"));
    var third = defined(aCoupon().withId("THIRD"));
    record(claim(first, "alice", 1), claim(second, "bob", 1), claim(third, "alice", 1));
    giveBack(first, "alice");

    var found = userCoupons().findAll(user("alice"), List.of(first.id(), second.id(), UNKNOWN));

    assertThat(found.keySet()).containsExactly(first.id());
    assertThat(found.get(first.id())).isInstanceOf(UserCoupon.Returned.class);
    assertThat(userCoupons().findAll(user("alice"), List.of())).isEmpty();
    assertThat(userCoupons().findAll(user("alice"), List.of(first.id(), third.id()))).hasSize(2);
  }

  @Test
  void the_user_coupons_of_many_users_are_found_together() {
    var coupon = defined(aCoupon());
    var other = defined(aCoupon().withId("OTHER"));
    record(claim(coupon, "alice", 1), claim(coupon, "bob", 2), claim(other, "carl", 1));
    giveBack(coupon, "alice");

    var found =
        userCoupons().findAll(coupon.id(), List.of(user("alice"), user("carl"), user("nobody")));

    assertThat(found.keySet()).containsExactly(user("alice"));
    assertThat(found.get(user("alice"))).isInstanceOf(UserCoupon.Returned.class);
    assertThat(userCoupons().findAll(coupon.id(), List.of())).isEmpty();
    assertThat(userCoupons().findAll(UNKNOWN, List.of(user("bob")))).isEmpty();
  }

  @Test
  void the_owners_among_the_given_users_are_found() {
    var coupon = defined(aCoupon());
    var other = defined(aCoupon().withId("OTHER"));
    record(claim(coupon, "alice", 1), claim(coupon, "bob", 2), claim(other, "carl", 1));

    var owners =
        userCoupons().owners(coupon.id(), List.of(user("bob"), user("carl"), user("nobody")));

    assertThat(owners).containsExactly(user("bob"));
    assertThat(userCoupons().owners(coupon.id(), List.of())).isEmpty();
    assertThat(userCoupons().owners(UNKNOWN, List.of(user("bob")))).isEmpty();
  }

  @Test
  void owners_of_slots_are_read_in_pages_sorted_by_slot() {
    var coupon = defined(aCoupon());
    record(claim(coupon, "alice", 10), claim(coupon, "bob", 9), claim(coupon, "carl", 1));
    record(claim(defined(aCoupon().withId("OTHER")), "dora", 2));

    var first = userCoupons().slotOwners(coupon.id(), null, 2);
    var second = userCoupons().slotOwners(coupon.id(), first.getLast(), 2);

    assertThat(first).containsExactly(owner("carl", 1, 1, true), owner("bob", 9, 1, true));
    assertThat(second).containsExactly(owner("alice", 10, 1, true));
    assertThat(userCoupons().slotOwners(coupon.id(), second.getLast(), 2)).isEmpty();
    assertThat(userCoupons().slotOwners(UNKNOWN, null, 2)).isEmpty();
  }

  @Test
  void former_owners_of_a_slot_come_before_its_current_owner() {
    var coupon = defined(aCoupon().returningToStock());
    record(claim(coupon, "alice", 1), claim(coupon, "bob", 2));
    giveBack(coupon, "alice");
    record(claim(coupon, "carl", 1));
    giveBack(coupon, "carl");
    record(claim(coupon, "dora", 1));
    var all =
        List.of(
            owner("alice", 1, 1, false),
            owner("carl", 1, 2, false),
            owner("dora", 1, 3, true),
            owner("bob", 2, 1, true));

    assertThat(userCoupons().slotOwners(coupon.id(), null, PAGE)).isEqualTo(all);
    for (int i = 1; i < all.size(); i++) {
      assertThat(userCoupons().slotOwners(coupon.id(), all.get(i - 1), 1))
          .containsExactly(all.get(i));
    }
  }

  @Test
  void a_user_who_returned_a_user_coupon_without_its_slot_still_owns_the_slot() {
    var coupon = defined(aCoupon());
    record(claim(coupon, "alice", 1));
    var row = (UserCoupon.Issued) userCoupons().find(coupon.id(), user("alice")).orElseThrow();
    takeStep(row, row.giveBack(ACCEPTED_AT, false));

    assertThat(userCoupons().slotOwners(coupon.id(), null, PAGE))
        .containsExactly(owner("alice", 1, 1, true));
  }

  private static SlotOwner owner(String user, int slot, int generation, boolean live) {
    return new SlotOwner(user(user), slot(slot), generation, live);
  }

  @Test
  void no_user_has_two_user_coupons_of_one_coupon() {
    var coupon = defined(aCoupon());
    record(claim(coupon, "alice", 1), claim(defined(aCoupon().withId("OTHER")), "alice", 1));
    record(claim(coupon, "alice", 2));

    assertThat(userCoupons().duplicateUsers(coupon.id())).isZero();
  }

  @Test
  @Timeout(60)
  void concurrent_batches_in_opposite_order_record_each_row_once() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      var coupon = defined(aCoupon().withId("ROUND" + round).withTotal(BATCH));
      var claims = claims(coupon, BATCH);
      atTheSameTime(
          () -> userCoupons().record(claims), () -> userCoupons().record(claims.reversed()));

      assertRowsOf(coupon, claims.toArray(AcceptedClaim[]::new));
      assertLateClaimsOf(coupon);
    }
  }

  @Test
  @Timeout(60)
  void when_two_batches_compete_for_every_slot_each_slot_is_recorded_once_and_no_claim_is_lost()
      throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      var coupon = defined(aCoupon().withId("ROUND" + round).withTotal(BATCH));
      var some = claims(coupon, BATCH);
      var others =
          some.stream()
              .map(c -> claim(coupon, "other-" + c.userId(), BATCH + 1 - c.slot().number()))
              .toList();
      var outcomes =
          atTheSameTime(() -> userCoupons().record(some), () -> userCoupons().record(others));

      assertThat(outcomes.stream().flatMap(List::stream))
          .containsOnly(new RecordOutcome.Recorded(), new RecordOutcome.SlotTaken())
          .hasSize(2 * BATCH);
      assertThat(holdersOf(coupon)).hasSize(BATCH);
      assertThat(lateClaimsOf(coupon)).hasSize(BATCH);
    }
  }

  private static <T> List<T> atTheSameTime(Callable<T> one, Callable<T> other) throws Exception {
    var barrier = new CyclicBarrier(2);
    try (var threads = Executors.newFixedThreadPool(2)) {
      var first =
          threads.submit(() -> {
            barrier.await(10, TimeUnit.SECONDS);
            return one.call();
          });
      var second =
          threads.submit(() -> {
            barrier.await(10, TimeUnit.SECONDS);
            return other.call();
          });
      return List.of(first.get(), second.get());
    }
  }
}
