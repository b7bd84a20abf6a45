package io.firstcome.contracts.database;

import static io.firstcome.contracts.CouponFixtures.ACCEPTED_AT;
import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.domain.audit.AuditEntry;
import io.firstcome.domain.audit.AuditEntry.Action;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.Money;
import io.firstcome.domain.coupon.Validity;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.shop.OrderId;
import io.firstcome.domain.usercoupon.Actor;
import io.firstcome.domain.usercoupon.Redemption;
import io.firstcome.domain.usercoupon.UserCoupon;
import io.firstcome.domain.usercoupon.UserCoupon.Expired;
import io.firstcome.domain.usercoupon.UserCoupon.Issued;
import io.firstcome.domain.usercoupon.UserCoupon.Used;
import io.firstcome.domain.usercoupon.UserCouponChange;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Currency;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which user coupons every database reports as overdue, and how expiry and use compete. */
public abstract class UserCouponExpiryContract extends DatabaseContract {

  private static final Instant END = ACCEPTED_AT.plus(Duration.ofDays(30));
  private static final Currency EUR = Currency.getInstance("EUR");
  private static final int USERS = 200;
  private static final int BATCH = 30;
  private static final int THREADS = 6;

  /** So many that their random ids are not in the order of their slots. */
  private static final int SLOTS_OF_ONE_TIME = 8;

  private static Redemption of(String order) {
    return new Redemption(new OrderId(order), new Money(2_000, EUR), new Money(500, EUR));
  }

  private Issued issued(Coupon coupon, String user, int slot) {
    record(claim(coupon, user, slot));
    return (Issued) stored(coupon, user(user));
  }

  private UserCoupon stored(Coupon coupon, UserId user) {
    return database().userCoupons().find(coupon.id(), user).orElseThrow();
  }

  private <T extends UserCoupon> T changed(UserCoupon before, T after) {
    var change = new UserCouponChange(before, after, Actor.TIME, ACCEPTED_AT);
    assertThat(database().userCoupons().change(change)).isTrue();
    return after;
  }

  private List<UserCoupon> overdue(Instant now) {
    return database().userCoupons().overdue(now, PAGE);
  }

  @Test
  void an_issued_user_coupon_is_overdue_from_the_instant_at_which_its_validity_ends() {
    var issued = issued(defined(aCoupon()), "alice", 1);

    assertThat(overdue(END.minusMillis(1))).isEmpty();
    assertThat(overdue(END)).containsExactly(issued);
  }

  /** Expiry is final, so the clocks of caller and database must both have reached it. */
  @Test
  void a_user_coupon_overdue_only_by_the_callers_clock_is_not_returned() {
    issued(defined(aCoupon().withValidity(new Validity.Days(3_650))), "alice", 1);
    var held = issued(defined(aCoupon().withId("HELD")), "bob", 1);
    changed(held, held.hold(of("order-1"), Instant.now().plus(Duration.ofDays(1))));

    assertThat(overdue(Instant.now().plus(Duration.ofDays(36_500)))).isEmpty();
  }

  @Test
  void a_held_user_coupon_is_overdue_when_hold_and_validity_have_ended() {
    var coupon = defined(aCoupon());
    var alices = issued(coupon, "alice", 1);
    var bobs = issued(coupon, "bob", 2);
    var shorter = changed(alices, alices.hold(of("order-1"), END.minusMillis(1)));
    var longer = changed(bobs, bobs.hold(of("order-1"), END.plusMillis(1)));

    assertThat(overdue(END.minusMillis(1))).isEmpty();
    assertThat(overdue(END)).containsExactly(shorter);
    assertThat(overdue(END.plusMillis(1))).containsExactlyInAnyOrder(shorter, longer);
  }

  @Test
  void the_end_of_the_current_hold_decides_whether_a_user_coupon_is_overdue() {
    var issued = issued(defined(aCoupon()), "alice", 1);
    var first = changed(issued, issued.hold(of("order-1"), END.plusMillis(9)));
    var released = (Issued) changed(first, first.release(ACCEPTED_AT));
    var second = changed(released, released.hold(of("order-2"), END));

    assertThat(overdue(END)).containsExactly(second);
  }

  @Test
  void a_used_user_coupon_and_one_in_a_terminal_state_are_not_overdue() {
    var coupon = defined(aCoupon());
    var used = issued(coupon, "used", 1);
    var confirmed = issued(coupon, "confirmed", 2);
    var expired = issued(coupon, "expired", 3);
    var returned = issued(coupon, "returned", 4);
    var revoked = issued(coupon, "revoked", 5);
    changed(used, used.use(of("order-1"), ACCEPTED_AT));
    var held = changed(confirmed, confirmed.hold(of("order-2"), ACCEPTED_AT.plusSeconds(1)));
    changed(held, held.confirm(ACCEPTED_AT));
    changed(expired, expired.expire());
    changed(returned, returned.giveBack(ACCEPTED_AT, false));
    changed(revoked, revoked.revoke("fraud", ACCEPTED_AT, true));

    assertThat(overdue(END.plus(Duration.ofDays(1)))).isEmpty();
  }

  @Test
  void overdue_user_coupons_are_sorted_by_end_of_validity_and_then_by_slot() {
    var late = defined(aCoupon().withId("A-LATE").withValidity(new Validity.Days(2)));
    var early = defined(aCoupon().withId("B-EARLY").withValidity(new Validity.Days(1)));
    var never = defined(aCoupon().withId("NEVER").withValidity(new Validity.Days(99)));
    var all = new ArrayList<UserCoupon>();
    for (int slot = 1; slot <= SLOTS_OF_ONE_TIME; slot++) {
      all.add(issued(early, "user-" + slot, slot));
    }
    all.add(issued(late, "alice", 1));
    issued(never, "alice", 1);
    var held = (Issued) all.getLast();
    all.set(SLOTS_OF_ONE_TIME, changed(held, held.hold(of("order-1"), ACCEPTED_AT.plusSeconds(1))));

    assertThat(overdue(END)).isEqualTo(all);
    assertThat(database().userCoupons().overdue(END, 2)).isEqualTo(all.subList(0, 2));
  }

  /** As when an order arrives at the last moment while several instances record expiry. */
  @Test
  @Timeout(60)
  void of_a_concurrent_use_and_expiry_exactly_one_is_recorded() throws Exception {
    var coupon = defined(aCoupon().withTotal(USERS));
    database().userCoupons().record(claims(coupon, USERS));
    var all = overdue(END);
    assertThat(all).hasSize(USERS);

    var used = new ArrayList<Boolean>();
    int expired = 0;
    try (var threads = Executors.newFixedThreadPool(THREADS)) {
      var expiring = List.of(threads.submit(this::expireAll), threads.submit(this::expireAll));
      var using = new ArrayList<Future<Boolean>>();
      // In reverse order, so that neither side is done before the other one begins.
      for (var userCoupon : all.reversed()) {
        using.add(threads.submit(use((Issued) userCoupon)));
      }
      for (var use : using) {
        used.add(use.get(20, TimeUnit.SECONDS));
      }
      for (var expiry : expiring) {
        expired += expiry.get(20, TimeUnit.SECONDS);
      }
    }

    assertThat(expired + used.stream().filter(won -> won).count()).isEqualTo(USERS);
    for (int i = 0; i < USERS; i++) {
      assertEnded(all.reversed().get(i), used.get(i));
    }
  }

  private Callable<Boolean> use(Issued issued) {
    var alice = Actor.customer(issued.userId());
    var change = new UserCouponChange(issued, issued.use(of("order-1"), END), alice, END);
    return () -> database().userCoupons().change(change);
  }

  /** Records batches until nothing is overdue. */
  private int expireAll() {
    int recorded = 0;
    for (var batch = overdueBatch(); !batch.isEmpty(); batch = overdueBatch()) {
      recorded += database().userCoupons().change(batch).size();
    }
    return recorded;
  }

  private List<UserCouponChange> overdueBatch() {
    return database().userCoupons().overdue(END, BATCH).stream()
        .map(Issued.class::cast)
        .map(issued -> new UserCouponChange(issued, issued.expire(), Actor.TIME, END))
        .toList();
  }

  private void assertEnded(UserCoupon before, boolean wasUsed) {
    var stored = database().userCoupons().find(before.id()).orElseThrow();
    assertThat(stored).isInstanceOf(wasUsed ? Used.class : Expired.class);
    assertThat(stored.revision()).isEqualTo(2);
    assertThat(entriesOf(before)).containsExactly(wasUsed ? Action.USE : Action.EXPIRE);
  }

  private Collection<Action> entriesOf(UserCoupon userCoupon) {
    return database().audit().ofUserCoupon(userCoupon.id(), null, PAGE).stream()
        .map(AuditEntry.Kept::entry)
        .map(AuditEntry::action)
        .toList();
  }
}
