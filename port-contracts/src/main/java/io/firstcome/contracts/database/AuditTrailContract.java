package io.firstcome.contracts.database;

import static io.firstcome.contracts.CouponFixtures.ACCEPTED_AT;
import static io.firstcome.contracts.CouponFixtures.OPERATOR;
import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.contracts.CouponFixtures;
import io.firstcome.domain.audit.AuditEntry;
import io.firstcome.domain.audit.AuditEntry.Action;
import io.firstcome.domain.audit.AuditEntryId;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.Money;
import io.firstcome.domain.port.AuditTrail;
import io.firstcome.domain.shop.OrderId;
import io.firstcome.domain.usercoupon.Actor;
import io.firstcome.domain.usercoupon.Redemption;
import io.firstcome.domain.usercoupon.UserCoupon;
import io.firstcome.domain.usercoupon.UserCoupon.Issued;
import io.firstcome.domain.usercoupon.UserCouponChange;
import io.firstcome.domain.usercoupon.UserCouponId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Currency;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What every {@link AuditTrail} returns, of entries that are added and of changes of rows. */
public abstract class AuditTrailContract extends DatabaseContract {

  private static final Actor ALICE = new Actor(Actor.Kind.CUSTOMER, "alice");
  private static final Instant NOW = ACCEPTED_AT.plus(Duration.ofDays(1));
  private static final Currency EUR = Currency.getInstance("EUR");
  private static final String HOSTILE_REASON = "{NULL, \"a\\b\", 'ü'}" + "r".repeat(400);

  private AuditTrail audit() {
    return database().audit();
  }

  private List<AuditEntry> entriesOf(Coupon coupon) {
    return audit().ofCoupon(coupon.id(), null, PAGE).stream().map(AuditEntry.Kept::entry).toList();
  }

  private List<AuditEntry> entriesOf(UserCouponId id) {
    return audit().ofUserCoupon(id, null, PAGE).stream().map(AuditEntry.Kept::entry).toList();
  }

  private boolean change(Coupon before, Coupon after) {
    return database().coupons().change(CouponFixtures.changed(before, after), OPERATOR, NOW);
  }

  private boolean change(UserCoupon before, UserCoupon after, Actor actor) {
    return database().userCoupons().change(new UserCouponChange(before, after, actor, NOW));
  }

  private Issued issued(Coupon coupon, String user, int slot) {
    record(claim(coupon, user, slot));
    return (Issued) database().userCoupons().find(coupon.id(), user(user)).orElseThrow();
  }

  private static Redemption of(String order) {
    return new Redemption(new OrderId(order), new Money(2_000, EUR), new Money(500, EUR));
  }

  private static AuditEntry entry(
      Instant at, Actor actor, Action action, Coupon coupon, @Nullable String detail) {
    return new AuditEntry(at, actor, action, coupon.id(), null, detail);
  }

  private static AuditEntry entry(
      Actor actor, Action action, UserCoupon userCoupon, @Nullable String detail) {
    return new AuditEntry(NOW, actor, action, userCoupon.couponId(), userCoupon.id(), detail);
  }

  @Test
  void the_audit_of_a_coupon_names_who_defined_and_changed_it() {
    var coupon = defined(aCoupon());
    var paused = aCoupon().withRevision(2).paused().build();
    var raised = aCoupon().withRevision(3).withTotal(200).paused().build();
    assertThat(change(coupon, paused)).isTrue();
    assertThat(change(paused, raised)).isTrue();

    assertThat(entriesOf(coupon))
        .containsExactly(
            entry(NOW, OPERATOR, Action.RAISE, coupon, "100 -> 200"),
            entry(NOW, OPERATOR, Action.PAUSE, coupon, null),
            entry(ACCEPTED_AT, OPERATOR, Action.DEFINE, coupon, null));
  }

  @Test
  void the_newest_entry_of_the_stock_is_found_among_all_others() {
    assertThat(audit().newestOfStock()).isEmpty();
    defined(aCoupon());
    assertThat(audit().newestOfStock()).isEmpty();

    var stated = AuditEntry.ofSetBack(OPERATOR, NOW);
    audit().add(stated);
    defined(aCoupon().withId("OTHER"));
    assertThat(audit().newestOfStock()).contains(stated);

    var recovered = AuditEntry.ofRecovery(OPERATOR, ALICE, NOW);
    audit().add(recovered);
    assertThat(audit().newestOfStock()).contains(recovered);
  }

  @Test
  void what_operators_did_is_read_in_pages_whatever_it_concerns() {
    var coupon = defined(aCoupon());
    var issued = issued(coupon, "alice", 1);
    assertThat(change(issued, issued.revoke("fraud", NOW, false), OPERATOR)).isTrue();
    var bobs = issued(coupon, "bob", 2);
    assertThat(change(bobs, bobs.hold(of("order-1"), NOW.plusSeconds(60)), ALICE)).isTrue();
    audit().add(AuditEntry.ofSetBack(OPERATOR, NOW));

    var first = audit().ofOperators(null, 2);
    assertThat(first)
        .extracting(kept -> kept.entry().action())
        .containsExactly(Action.STATE_SET_BACK, Action.REVOKE);
    assertThat(audit().ofOperators(first.getLast().id(), 2))
        .extracting(kept -> kept.entry().action())
        .containsExactly(Action.DEFINE);
  }

  @Test
  void a_request_that_changes_no_coupon_adds_no_entry() {
    var coupon = defined(aCoupon());
    var paused = aCoupon().withRevision(2).paused().build();
    assertThat(database().coupons().addIfAbsent(coupon, OPERATOR, NOW)).isFalse();
    assertThat(change(coupon, paused)).isTrue();

    assertThat(change(coupon, aCoupon().withRevision(2).closed().build())).isFalse();

    assertThat(entriesOf(coupon))
        .extracting(AuditEntry::action)
        .containsExactly(Action.PAUSE, Action.DEFINE);
  }

  @Test
  void each_step_of_a_user_coupon_is_an_entry_with_its_order() {
    var coupon = defined(aCoupon());
    var issued = issued(coupon, "alice", 1);
    var held = issued.hold(of("order-1"), NOW.plusSeconds(60));
    var used = held.confirm(NOW);
    assertThat(change(issued, held, ALICE)).isTrue();
    assertThat(change(held, used, OPERATOR)).isTrue();
    assertThat(change(used, used.undo(NOW), ALICE)).isTrue();

    assertThat(entriesOf(issued.id()))
        .containsExactly(
            entry(ALICE, Action.UNDO, issued, "order-1"),
            entry(OPERATOR, Action.CONFIRM, issued, "order-1"),
            entry(ALICE, Action.HOLD, issued, "order-1"));
  }

  @Test
  void the_entry_of_a_revocation_has_its_reason() {
    var coupon = defined(aCoupon());
    var issued = issued(coupon, "alice", 1);
    assertThat(change(issued, issued.revoke(HOSTILE_REASON, NOW, false), OPERATOR)).isTrue();

    assertThat(entriesOf(issued.id()))
        .containsExactly(entry(OPERATOR, Action.REVOKE, issued, HOSTILE_REASON));
  }

  @Test
  void a_step_that_is_overtaken_adds_no_entry() {
    var coupon = defined(aCoupon());
    var first = issued(coupon, "alice", 1);
    var second = issued(coupon, "bob", 2);
    assertThat(change(first, first.use(of("order-1"), NOW), ALICE)).isTrue();

    assertThat(change(first, first.expire(), Actor.TIME)).isFalse();
    assertThat(
            database()
                .userCoupons()
                .change(
                    List.of(
                        new UserCouponChange(first, first.expire(), Actor.TIME, NOW),
                        new UserCouponChange(second, second.expire(), Actor.TIME, NOW))))
        .containsExactly(second.id());

    assertThat(entriesOf(first.id())).containsExactly(entry(ALICE, Action.USE, first, "order-1"));
    assertThat(entriesOf(second.id()))
        .containsExactly(entry(Actor.TIME, Action.EXPIRE, second, null));
  }

  @Test
  void the_audit_of_a_coupon_includes_its_user_coupons_and_no_others() {
    var coupon = defined(aCoupon());
    var other = defined(aCoupon().withId("WELCOME-2"));
    var issued = issued(coupon, "alice", 1);
    var others = issued(other, "alice", 1);
    assertThat(change(others, others.expire(), Actor.TIME)).isTrue();
    assertThat(change(issued, issued.expire(), Actor.TIME)).isTrue();

    assertThat(entriesOf(coupon))
        .containsExactly(
            entry(Actor.TIME, Action.EXPIRE, issued, null),
            entry(ACCEPTED_AT, OPERATOR, Action.DEFINE, coupon, null));
    assertThat(entriesOf(issued.id())).hasSize(1);
  }

  @Test
  void a_newly_issued_user_coupon_has_no_entry() {
    var issued = issued(defined(aCoupon()), "alice", 1);

    assertThat(entriesOf(issued.id())).isEmpty();
    assertThat(audit().ofCoupon(UNKNOWN, null, PAGE)).isEmpty();
  }

  @Test
  void an_added_entry_is_stored_unchanged() {
    var coupon = aCoupon().withId("GONE").build();
    var replay =
        new AuditEntry(NOW, OPERATOR, Action.REPLAY_DEAD_LETTER, coupon.id(), null, "letter 'ü'");
    audit().add(AuditEntry.ofRecovery(ALICE, OPERATOR, NOW));
    audit().add(replay);

    assertThat(entriesOf(coupon)).containsExactly(replay);
  }

  @Test
  void entries_are_read_in_pages_newest_first() {
    var coupon = defined(aCoupon());
    for (int slot = 1; slot <= 6; slot++) {
      var issued = issued(coupon, "user" + slot, slot);
      assertThat(change(issued, issued.expire(), Actor.TIME)).isTrue();
    }
    var all = audit().ofCoupon(coupon.id(), null, PAGE);
    assertThat(all).hasSize(7);
    assertThat(all)
        .extracting(AuditEntry.Kept::id)
        .isSortedAccordingTo((a, b) -> b.compareTo(a))
        .doesNotHaveDuplicates();

    var read = new ArrayList<AuditEntry.Kept>();
    @Nullable AuditEntryId after = null;
    for (int page = 0; page < 4; page++) {
      var next = audit().ofCoupon(coupon.id(), after, 2);
      assertThat(next).hasSize(page < 3 ? 2 : 1);
      read.addAll(next);
      after = next.getLast().id();
    }

    assertThat(read).isEqualTo(all);
    assertThat(audit().ofCoupon(coupon.id(), after, 2)).isEmpty();
    var newest = CouponFixtures.acceptedClaim(coupon, "user6", 6, EPOCH).identity().id();
    assertThat(audit().ofUserCoupon(newest, null, 2)).containsExactly(all.getFirst());
    assertThat(audit().ofUserCoupon(newest, all.getFirst().id(), 2)).isEmpty();
  }
}
