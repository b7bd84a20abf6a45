package io.firstcome.contracts.database;

import static io.firstcome.contracts.CouponFixtures.ACCEPTED_AT;
import static io.firstcome.contracts.CouponFixtures.OPERATOR;
import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.contracts.CouponFixtures;
import io.firstcome.domain.audit.AuditEntry;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.Discount;
import io.firstcome.domain.coupon.Money;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.coupon.StoredCoupon;
import io.firstcome.domain.port.CouponRepository;
import io.firstcome.domain.usercoupon.Actor;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Currency;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What every {@link CouponRepository} does. */
public abstract class CouponRepositoryContract extends DatabaseContract {

  private static final Currency JPY = Currency.getInstance("JPY");

  private CouponRepository coupons() {
    return database().coupons();
  }

  private boolean addIfAbsent(Coupon coupon) {
    return coupons().addIfAbsent(coupon, OPERATOR, ACCEPTED_AT);
  }

  private boolean change(Coupon before, Coupon changed) {
    return coupons()
        .change(CouponFixtures.changed(before, changed), OPERATOR, ACCEPTED_AT.plusSeconds(1));
  }

  private Coupon added(Coupon coupon) {
    assertThat(addIfAbsent(coupon)).isTrue();
    return coupon;
  }

  @Test
  void a_coupon_is_found_as_it_was_added() {
    var coupon = added(aCoupon().withId("SPRING-26").withTotal(7).inPartition(5).build());

    assertThat(coupons().find(coupon.id())).contains(coupon);
  }

  @Test
  void every_member_of_a_coupon_is_kept() {
    var coupon =
        added(
            aCoupon()
                .withDiscount(new Discount.Percent(1_250, JPY, new Money(3_000, JPY)))
                .withMinimumOrder(new Money(0, JPY))
                .endingAt(Instant.parse("2099-12-31T23:59:59.999Z"))
                .opening(
                    Instant.parse("2026-05-01T09:00:00.001Z"),
                    Instant.parse("2026-05-01T09:00:00.002Z"))
                .withWaitingRoom(500)
                .archivedAfter(Duration.ofSeconds(86_401))
                .returningToStock()
                .withRevision(9)
                .paused()
                .build());

    assertThat(coupons().find(coupon.id())).contains(coupon);
  }

  @Test
  void the_stock_backend_is_stored() {
    var coupon = added(aCoupon().inPostgres().build());

    assertThat(coupons().find(coupon.id())).contains(coupon);
  }

  @Test
  void a_percentage_without_a_cap_is_kept() {
    var coupon = added(aCoupon().withDiscount(new Discount.Percent(10_000, JPY, null)).build());

    assertThat(coupons().find(coupon.id())).contains(coupon);
  }

  @Test
  void adding_a_coupon_with_an_existing_id_changes_nothing() {
    var first = added(aCoupon().withId("TWICE").withTotal(10).inPartition(1).build());

    assertThat(addIfAbsent(aCoupon().withId("TWICE").withTotal(99).build())).isFalse();
    assertThat(coupons().find(first.id())).contains(first);
    assertThat(coupons().inPartition(new Partition(0))).isEmpty();
  }

  @Test
  void an_unknown_coupon_is_not_found() {
    added(aCoupon().build());

    assertThat(coupons().find(UNKNOWN)).isEmpty();
    assertThat(coupons().isApplied(UNKNOWN, 1)).isFalse();
  }

  @Test
  void a_coupon_has_the_times_of_its_definition_and_of_its_last_change() {
    var coupon = added(aCoupon().build());
    assertThat(coupons().findStored(coupon.id()))
        .contains(new StoredCoupon(coupon, ACCEPTED_AT, ACCEPTED_AT));

    var paused = aCoupon().paused().withRevision(2).build();
    change(coupon, paused);

    var stored = new StoredCoupon(paused, ACCEPTED_AT, ACCEPTED_AT.plusSeconds(1));
    assertThat(coupons().findStored(coupon.id())).contains(stored);
    assertThat(coupons().page(null, null, PAGE)).containsExactly(stored);
    assertThat(coupons().findStored(UNKNOWN)).isEmpty();
  }

  @Test
  void an_archived_coupon_is_stored_and_its_stock_is_not_yet_removed() {
    var closed = added(aCoupon().closed().withRevision(2).build());
    coupons().noteApplied(closed.id(), 2);
    var archived = aCoupon().archived().withRevision(3).build();

    assertThat(change(closed, archived)).isTrue();

    assertThat(coupons().find(closed.id())).contains(archived);
    assertThat(coupons().unapplied(null, PAGE)).containsExactly(archived);
    assertThat(database().audit().ofCoupon(closed.id(), null, 1))
        .extracting(kept -> kept.entry().action())
        .containsExactly(AuditEntry.Action.ARCHIVE);
  }

  @Test
  void a_new_coupon_is_not_yet_in_stock() {
    var coupon = added(aCoupon().build());

    assertThat(coupons().unapplied(null, PAGE)).containsExactly(coupon);
    assertThat(coupons().isApplied(coupon.id(), 1)).isFalse();
  }

  @Test
  void a_raised_revision_keeps_the_terms_and_is_not_yet_in_stock() {
    var before = added(aCoupon().withTotal(10).withRevision(2).paused().build());
    coupons().noteApplied(before.id(), 2);

    assertThat(coupons().raiseRevision(before, 9, ACCEPTED_AT)).isTrue();

    var raised = aCoupon().withTotal(10).withRevision(9).paused().build();
    assertThat(coupons().find(before.id())).contains(raised);
    assertThat(coupons().unapplied(null, PAGE)).containsExactly(raised);
    assertThat(database().audit().ofCoupon(before.id(), null, 1))
        .extracting(AuditEntry.Kept::entry)
        .containsExactly(
            new AuditEntry(
                ACCEPTED_AT,
                Actor.RECOVERY,
                AuditEntry.Action.RAISE_REVISION,
                before.id(),
                null,
                "2 -> 9"));
  }

  @Test
  void a_revision_is_not_raised_over_another_change() {
    var read = added(aCoupon().withRevision(2).build());
    var closed = aCoupon().withRevision(3).closed().build();
    assertThat(change(read, closed)).isTrue();

    assertThat(coupons().raiseRevision(read, 9, ACCEPTED_AT)).isFalse();
    assertThat(coupons().raiseRevision(aCoupon().withId("NOWHERE").build(), 9, ACCEPTED_AT))
        .isFalse();

    assertThat(coupons().find(read.id())).contains(closed);
    assertThat(database().audit().ofCoupon(read.id(), null, 1))
        .extracting(kept -> kept.entry().action())
        .containsExactly(AuditEntry.Action.CLOSE);
  }

  @Test
  void a_coupon_whose_latest_revision_is_in_stock_is_no_longer_listed() {
    var coupon = added(aCoupon().withRevision(2).build());

    coupons().noteApplied(coupon.id(), 2);

    assertThat(coupons().unapplied(null, PAGE)).isEmpty();
    assertThat(coupons().isApplied(coupon.id(), 1)).isTrue();
    assertThat(coupons().isApplied(coupon.id(), 2)).isTrue();
    assertThat(coupons().isApplied(coupon.id(), 3)).isFalse();
  }

  @Test
  void a_coupon_with_an_older_revision_in_stock_is_still_listed() {
    var coupon = added(aCoupon().withRevision(3).build());

    coupons().noteApplied(coupon.id(), 2);

    assertThat(coupons().unapplied(null, PAGE)).containsExactly(coupon);
    assertThat(coupons().isApplied(coupon.id(), 3)).isFalse();
  }

  @Test
  void the_revision_in_stock_never_decreases() {
    var coupon = added(aCoupon().withRevision(3).build());

    coupons().noteApplied(coupon.id(), 3);
    coupons().noteApplied(coupon.id(), 1);

    assertThat(coupons().isApplied(coupon.id(), 3)).isTrue();
    assertThat(coupons().unapplied(null, PAGE)).isEmpty();
  }

  @Test
  void a_revision_that_the_coupon_does_not_have_is_not_recorded_as_in_stock() {
    var coupon = added(aCoupon().withRevision(1).build());

    coupons().noteApplied(coupon.id(), 2);
    coupons().noteApplied(UNKNOWN, 1);

    assertThat(coupons().unapplied(null, PAGE)).containsExactly(coupon);
  }

  @Test
  void a_change_of_the_current_revision_is_stored_and_is_not_yet_in_stock() {
    var before = added(aCoupon().withTotal(10).withRevision(4).build());
    coupons().noteApplied(before.id(), 4);
    var changed = aCoupon().withTotal(25).withRevision(5).paused().build();

    assertThat(change(before, changed)).isTrue();

    assertThat(coupons().find(before.id())).contains(changed);
    assertThat(coupons().unapplied(null, PAGE)).containsExactly(changed);
    assertThat(coupons().isApplied(before.id(), 4)).isTrue();
    assertThat(coupons().isApplied(before.id(), 5)).isFalse();
    coupons().noteApplied(before.id(), 5);
    assertThat(coupons().unapplied(null, PAGE)).isEmpty();
  }

  @Test
  void of_two_changes_of_the_same_revision_the_first_is_stored() {
    var coupon = added(aCoupon().build());
    var first = aCoupon().withRevision(2).paused().build();

    assertThat(change(coupon, first)).isTrue();
    assertThat(change(coupon, aCoupon().withRevision(2).closed().build())).isFalse();

    assertThat(coupons().find(coupon.id())).contains(first);
  }

  @Test
  void a_change_of_any_other_revision_or_of_an_unknown_coupon_changes_nothing() {
    var coupon = added(aCoupon().withRevision(4).build());
    var other = added(aCoupon().withId("OTHER").withRevision(6).build());

    for (int seen : new int[] {1, 2, 3, 5}) {
      var before = aCoupon().withRevision(seen).build();
      assertThat(change(before, aCoupon().withRevision(seen + 1).closed().build())).isFalse();
    }
    var nowhere = aCoupon().withId("NOWHERE");
    assertThat(change(nowhere.build(), nowhere.withRevision(2).build())).isFalse();

    assertThat(coupons().find(coupon.id())).contains(coupon);
    assertThat(coupons().find(other.id())).contains(other);
  }

  @Test
  void of_concurrent_changes_of_a_revision_exactly_one_is_stored() throws Exception {
    var coupon = added(aCoupon().build());
    var start = new CountDownLatch(1);
    try (var operators = Executors.newFixedThreadPool(8)) {
      var changes = new ArrayList<Future<Boolean>>();
      for (int i = 0; i < 8; i++) {
        var change = aCoupon().withRevision(2).withTotal(101 + i).build();
        changes.add(
            operators.submit(() -> {
              start.await();
              return change(coupon, change);
            }));
      }
      start.countDown();
      int made = 0;
      for (var change : changes) {
        made += change.get(20, TimeUnit.SECONDS) ? 1 : 0;
      }
      assertThat(made).isEqualTo(1);
    }
    assertThat(coupons().find(coupon.id()).orElseThrow().revision()).isEqualTo(2);
  }
}
