package io.firstcome.contracts.database;

import static io.firstcome.contracts.CouponFixtures.ACCEPTED_AT;
import static io.firstcome.contracts.CouponFixtures.OPERATOR;
import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.contracts.CouponFixtures;
import io.firstcome.domain.audit.AuditEntry;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.CouponStatus;
import io.firstcome.domain.coupon.Discount;
import io.firstcome.domain.coupon.Money;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.coupon.StoredCoupon;
import io.firstcome.domain.coupon.Validity;
import io.firstcome.domain.port.CouponRepository;
import io.firstcome.domain.usercoupon.Actor;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Currency;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
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
  void several_coupons_are_found_at_once() {
    var one = added(aCoupon().withId("ONE").build());
    var two = added(aCoupon().withId("TWO").build());
    added(aCoupon().withId("THREE").build());

    assertThat(coupons().findAll(List.of(one.id(), new CouponId("NONE"), two.id())))
        .containsExactlyInAnyOrder(one, two);
    assertThat(coupons().findAll(List.of())).isEmpty();
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
                .withValidity(new Validity.Until(Instant.parse("2099-12-31T23:59:59.999Z")))
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
  void coupons_of_a_partition_are_sorted_active_first_and_then_by_id() {
    var closed = added(aCoupon().withId("AA").closed().inPartition(4).build());
    var zed = added(aCoupon().withId("ZZ").inPartition(4).build());
    var hyphen = added(aCoupon().withId("C-1").inPartition(4).build());
    var letter = added(aCoupon().withId("CA1").inPartition(4).build());
    var paused = added(aCoupon().withId("AB").paused().inPartition(4).build());
    added(aCoupon().withId("ELSEWHERE").inPartition(5).build());
    added(aCoupon().withId("NOT-REDIS").inPostgres().inPartition(4).build());
    added(aCoupon().withId("ARCHIVED").archived().inPartition(4).build());

    assertThat(coupons().inPartition(new Partition(4)))
        .containsExactly(hyphen, letter, zed, closed, paused);
    assertThat(coupons().inPartition(new Partition(6))).isEmpty();
  }

  @Test
  void removed_coupons_are_the_archived_ones_of_the_partition_whose_removal_is_recorded() {
    var first = removed(aCoupon().withId("A1"));
    var second = removed(aCoupon().withId("A2"));
    added(aCoupon().withId("A3").archived().inPartition(4).build());
    var closed = added(aCoupon().withId("A4").closed().inPartition(4).build());
    coupons().noteApplied(closed.id(), closed.revision());
    removed(aCoupon().withId("NOT-REDIS").inPostgres());

    var partition = new Partition(4);
    assertThat(coupons().removedInPartition(partition, null, PAGE)).containsExactly(first, second);
    assertThat(coupons().removedInPartition(partition, null, 1)).containsExactly(first);
    assertThat(coupons().removedInPartition(partition, first, PAGE)).containsExactly(second);
    assertThat(coupons().removedInPartition(new Partition(5), null, PAGE)).isEmpty();
  }

  private CouponId removed(CouponFixtures.CouponBuilder builder) {
    var archived = added(builder.archived().inPartition(4).build());
    coupons().noteApplied(archived.id(), archived.revision());
    return archived.id();
  }

  @Test
  void coupons_that_may_have_stock_from_a_partition_onwards_are_found() {
    added(aCoupon().withId("BELOW").inPartition(3).build());
    removed(aCoupon().withId("REMOVED"));
    added(aCoupon().withId("NOT-REDIS").inPostgres().inPartition(6).build());
    var zed = added(aCoupon().withId("ZED").closed().inPartition(4).build());
    var archived = added(aCoupon().withId("ABC").archived().inPartition(4).build());
    var highest = added(aCoupon().withId("MID").inPartition(6).build());

    assertThat(coupons().withStockFrom(new Partition(4), PAGE))
        .containsExactly(highest, archived, zed);
    assertThat(coupons().withStockFrom(new Partition(4), 1)).containsExactly(highest);
    assertThat(coupons().withStockFrom(new Partition(7), PAGE)).isEmpty();
  }

  @Test
  void pages_of_all_coupons_are_sorted_by_id_for_all_partitions_and_statuses() {
    var letter = added(aCoupon().withId("CA1").inPartition(4).build());
    var hyphen = added(aCoupon().withId("C-1").paused().build());
    var digit = added(aCoupon().withId("0ZZ").archived().inPartition(7).build());
    var closed = added(aCoupon().withId("B00").closed().build());
    var all = List.of(digit, closed, hyphen, letter);

    assertThat(page(null, null, PAGE)).isEqualTo(all);
    assertThat(page(null, null, 3)).isEqualTo(all.subList(0, 3));
    assertThat(page(null, closed.id(), 1)).containsExactly(hyphen);
    assertThat(page(null, new CouponId("C-0"), PAGE)).containsExactly(hyphen, letter);
    assertThat(page(null, letter.id(), PAGE)).isEmpty();
  }

  @Test
  void pages_of_a_status_are_full_and_contain_only_that_status() {
    var archived = added(aCoupon().withId("A1").archived().build());
    added(aCoupon().withId("A2").closed().build());
    var second = added(aCoupon().withId("A3").archived().build());
    var third = added(aCoupon().withId("A4").archived().build());
    var active = added(aCoupon().withId("A5").build());

    assertThat(page(CouponStatus.ARCHIVED, null, 2)).containsExactly(archived, second);
    assertThat(page(CouponStatus.ARCHIVED, archived.id(), 2)).containsExactly(second, third);
    assertThat(page(CouponStatus.ACTIVE, null, PAGE)).containsExactly(active);
    assertThat(page(CouponStatus.PAUSED, null, PAGE)).isEmpty();
  }

  @Test
  void the_list_for_customers_has_neither_drafts_nor_archived_coupons() {
    added(aCoupon().withId("A1").archived().build());
    added(aCoupon().withId("A2").draft().build());
    var closed = added(aCoupon().withId("A3").closed().build()).id();
    var active = added(aCoupon().withId("A4").build()).id();
    var paused = added(aCoupon().withId("A5").paused().inPostgres().build()).id();

    assertThat(coupons().listed(null, PAGE)).containsExactly(closed, active, paused);
    assertThat(coupons().listed(closed, 1)).containsExactly(active);
    assertThat(coupons().listed(paused, PAGE)).isEmpty();
  }

  @Test
  void open_coupons_are_active_ones_whose_window_contains_the_time() {
    var from = ACCEPTED_AT;
    var to = ACCEPTED_AT.plusSeconds(60);
    var first = added(aCoupon().withId("A1").opening(from, to).build());
    var second = added(aCoupon().withId("A2").opening(from, to).build());
    added(aCoupon().withId("A3").opening(from, to).paused().build());
    added(aCoupon().withId("A4").opening(from, to).draft().build());
    added(aCoupon().withId("A5").opening(from.plusMillis(1), to).build());

    assertThat(coupons().open(from, null, PAGE)).containsExactly(first, second);
    assertThat(coupons().open(from, null, 1)).containsExactly(first);
    assertThat(coupons().open(from, first.id(), PAGE)).containsExactly(second);
    assertThat(coupons().open(from.minusMillis(1), null, PAGE)).isEmpty();
    assertThat(coupons().open(to, null, PAGE)).isEmpty();
  }

  @Test
  void coupons_are_due_for_archive_after_their_window_and_every_validity() {
    var opensAt = ACCEPTED_AT.minus(Duration.ofDays(10));
    var closesAt = ACCEPTED_AT.minus(Duration.ofDays(4));
    var days =
        added(
            aCoupon()
                .withId("DAYS")
                .opening(opensAt, closesAt)
                .withValidity(new Validity.Days(1))
                .archivedAfter(Duration.ofDays(2))
                .build());
    var until =
        added(
            aCoupon()
                .withId("UNTIL")
                .opening(opensAt, closesAt)
                .withValidity(new Validity.Until(opensAt.plusSeconds(1)))
                .archivedAfter(Duration.ofDays(3))
                .closed()
                .build());
    added(aCoupon().withId("NEVER").opening(opensAt, closesAt).build());
    added(
        aCoupon()
            .withId("DRAFT")
            .draft()
            .opening(opensAt, closesAt)
            .archivedAfter(Duration.ZERO)
            .build());
    var due = ACCEPTED_AT.minus(Duration.ofDays(1));

    assertThat(days.archivedFrom()).contains(due);
    assertThat(until.archivedFrom()).contains(due);
    assertThat(coupons().dueForArchive(due.minusMillis(1), null, PAGE)).isEmpty();
    assertThat(coupons().dueForArchive(due, null, PAGE)).containsExactly(days, until);
    assertThat(coupons().dueForArchive(due, days.id(), PAGE)).containsExactly(until);
    assertThat(coupons().dueForArchive(due, null, 1)).containsExactly(days);
  }

  private List<Coupon> page(@Nullable CouponStatus status, @Nullable CouponId after, int max) {
    return coupons().page(status, after, max).stream().map(StoredCoupon::coupon).toList();
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
  void the_code_keys_of_coupons_that_are_not_archived_are_listed() {
    added(aCoupon().withId("A1").withCodeKeyVersion(1).archived().build());
    added(aCoupon().withId("A2").withCodeKeyVersion(2).closed().build());
    added(aCoupon().withId("A3").withCodeKeyVersion(3).inPostgres().build());
    added(aCoupon().withId("A4").withCodeKeyVersion(3).build());

    assertThat(coupons().codeKeyVersions()).containsExactlyInAnyOrder(2, 3);
  }

  @Test
  void a_new_coupon_is_not_yet_in_stock() {
    var coupon = added(aCoupon().build());

    assertThat(coupons().unapplied(null, PAGE)).containsExactly(coupon);
    assertThat(coupons().isApplied(coupon.id(), 1)).isFalse();
  }

  @Test
  void pages_of_coupons_not_yet_in_stock_are_sorted_by_id() {
    var last = added(aCoupon().withId("ZZ").build());
    var first = added(aCoupon().withId("AA").inPartition(3).build());
    var second = added(aCoupon().withId("MM").build());
    coupons().noteApplied(added(aCoupon().withId("BB").build()).id(), 1);

    assertThat(coupons().unapplied(null, PAGE)).containsExactly(first, second, last);
    assertThat(coupons().unapplied(null, 2)).containsExactly(first, second);
    assertThat(coupons().unapplied(second.id(), 2)).containsExactly(last);
    assertThat(coupons().unapplied(last.id(), 2)).isEmpty();
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
