package io.firstcome.contracts.database;

import static io.firstcome.contracts.CouponFixtures.ACCEPTED_AT;
import static io.firstcome.contracts.CouponFixtures.OPERATOR;
import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.domain.audit.AuditEntry;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponChange;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.CouponStatus;
import io.firstcome.domain.coupon.Discount;
import io.firstcome.domain.coupon.Money;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.coupon.Validity;
import io.firstcome.domain.port.CouponRepository;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Currency;
import java.util.List;
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
        .change(new CouponChange.Changed(before, changed), OPERATOR, ACCEPTED_AT.plusSeconds(1));
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
                .withValidity(new Validity.Until(Instant.parse("2099-12-31T23:59:59.999Z")))
                .opening(
                    Instant.parse("2026-05-01T09:00:00.001Z"),
                    Instant.parse("2026-05-01T09:00:00.002Z"))
                .withWaitingRoom(500)
                .returningToStock()
                .withRevision(9)
                .paused()
                .build());

    assertThat(coupons().find(coupon.id())).contains(coupon);
  }

  @Test
  void where_the_stock_is_is_kept() {
    var coupon = added(aCoupon().inPostgres().build());

    assertThat(coupons().find(coupon.id())).contains(coupon);
  }

  @Test
  void a_percentage_without_a_cap_is_kept() {
    var coupon = added(aCoupon().withDiscount(new Discount.Percent(10_000, JPY, null)).build());

    assertThat(coupons().find(coupon.id())).contains(coupon);
  }

  @Test
  void a_coupon_of_an_id_that_is_there_changes_nothing() {
    var first = added(aCoupon().withId("TWICE").withTotal(10).inPartition(1).build());

    assertThat(addIfAbsent(aCoupon().withId("TWICE").withTotal(99).build())).isFalse();
    assertThat(coupons().find(first.id())).contains(first);
    assertThat(coupons().inPartition(new Partition(0))).isEmpty();
  }

  @Test
  void an_unknown_coupon_is_not_found() {
    added(aCoupon().build());

    assertThat(coupons().find(UNKNOWN)).isEmpty();
    assertThat(coupons().isInStock(UNKNOWN, 1)).isFalse();
  }

  @Test
  void coupons_of_a_partition_come_active_ones_first_and_then_by_id() {
    var closed = added(aCoupon().withId("AA").closed().inPartition(4).build());
    var zed = added(aCoupon().withId("ZZ").inPartition(4).build());
    var hyphen = added(aCoupon().withId("C-1").inPartition(4).build());
    var letter = added(aCoupon().withId("CA1").inPartition(4).build());
    var paused = added(aCoupon().withId("AB").paused().inPartition(4).build());
    added(aCoupon().withId("ELSEWHERE").inPartition(5).build());
    added(aCoupon().withId("NOT-REDIS").inPostgres().inPartition(4).build());

    assertThat(coupons().inPartition(new Partition(4)))
        .containsExactly(hyphen, letter, zed, closed, paused);
    assertThat(coupons().inPartition(new Partition(6))).isEmpty();
  }

  @Test
  void pages_of_all_coupons_come_by_id_wherever_they_live_and_whatever_they_are() {
    var letter = added(aCoupon().withId("CA1").inPartition(4).build());
    var hyphen = added(aCoupon().withId("C-1").paused().build());
    var digit = added(aCoupon().withId("0ZZ").archived().inPartition(7).build());
    var closed = added(aCoupon().withId("B00").closed().build());
    var all = List.of(digit, closed, hyphen, letter);

    assertThat(coupons().page(null, null, PAGE)).isEqualTo(all);
    assertThat(coupons().page(null, null, 3)).isEqualTo(all.subList(0, 3));
    assertThat(coupons().page(null, closed.id(), 1)).containsExactly(hyphen);
    assertThat(coupons().page(null, new CouponId("C-0"), PAGE)).containsExactly(hyphen, letter);
    assertThat(coupons().page(null, letter.id(), PAGE)).isEmpty();
  }

  @Test
  void pages_of_a_status_are_full_and_of_that_status_alone() {
    var archived = added(aCoupon().withId("A1").archived().build());
    added(aCoupon().withId("A2").closed().build());
    var second = added(aCoupon().withId("A3").archived().build());
    var third = added(aCoupon().withId("A4").archived().build());
    var active = added(aCoupon().withId("A5").build());

    assertThat(coupons().page(CouponStatus.ARCHIVED, null, 2)).containsExactly(archived, second);
    assertThat(coupons().page(CouponStatus.ARCHIVED, archived.id(), 2))
        .containsExactly(second, third);
    assertThat(coupons().page(CouponStatus.ACTIVE, null, PAGE)).containsExactly(active);
    assertThat(coupons().page(CouponStatus.PAUSED, null, PAGE)).isEmpty();
  }

  @Test
  void an_archived_coupon_is_kept_and_is_not_yet_gone_from_the_stock() {
    var closed = added(aCoupon().closed().withRevision(2).build());
    coupons().nowInStock(closed.id(), 2);
    var archived = aCoupon().archived().withRevision(3).build();

    assertThat(change(closed, archived)).isTrue();

    assertThat(coupons().find(closed.id())).contains(archived);
    assertThat(coupons().notYetInStock(PAGE)).containsExactly(archived);
    assertThat(database().audit().ofCoupon(closed.id(), null, 1))
        .extracting(kept -> kept.entry().action())
        .containsExactly(AuditEntry.Action.ARCHIVE);
  }

  @Test
  void a_new_coupon_is_not_yet_in_stock() {
    var coupon = added(aCoupon().build());

    assertThat(coupons().notYetInStock(PAGE)).containsExactly(coupon);
    assertThat(coupons().isInStock(coupon.id(), 1)).isFalse();
  }

  @Test
  void coupons_not_yet_in_stock_come_oldest_first() {
    var first = aCoupon().withId("ZZ").build();
    var second = aCoupon().withId("AA").inPartition(3).build();
    var third = aCoupon().withId("MM").build();
    coupons().addIfAbsent(first, OPERATOR, ACCEPTED_AT);
    coupons().addIfAbsent(second, OPERATOR, ACCEPTED_AT.plusMillis(1));
    coupons().addIfAbsent(third, OPERATOR, ACCEPTED_AT.plusMillis(2));

    assertThat(coupons().notYetInStock(PAGE)).containsExactly(first, second, third);
    assertThat(coupons().notYetInStock(2)).isEqualTo(List.of(first, second));
  }

  @Test
  void a_coupon_whose_latest_revision_is_in_stock_is_not_asked_for_any_more() {
    var coupon = added(aCoupon().withRevision(2).build());

    coupons().nowInStock(coupon.id(), 2);

    assertThat(coupons().notYetInStock(PAGE)).isEmpty();
    assertThat(coupons().isInStock(coupon.id(), 1)).isTrue();
    assertThat(coupons().isInStock(coupon.id(), 2)).isTrue();
    assertThat(coupons().isInStock(coupon.id(), 3)).isFalse();
  }

  @Test
  void an_older_revision_in_stock_is_not_enough() {
    var coupon = added(aCoupon().withRevision(3).build());

    coupons().nowInStock(coupon.id(), 2);

    assertThat(coupons().notYetInStock(PAGE)).containsExactly(coupon);
    assertThat(coupons().isInStock(coupon.id(), 3)).isFalse();
  }

  @Test
  void what_is_in_stock_never_goes_back() {
    var coupon = added(aCoupon().withRevision(3).build());

    coupons().nowInStock(coupon.id(), 3);
    coupons().nowInStock(coupon.id(), 1);

    assertThat(coupons().isInStock(coupon.id(), 3)).isTrue();
    assertThat(coupons().notYetInStock(PAGE)).isEmpty();
  }

  @Test
  void a_revision_that_the_coupon_does_not_have_is_not_remembered() {
    var coupon = added(aCoupon().withRevision(1).build());

    coupons().nowInStock(coupon.id(), 2);
    coupons().nowInStock(UNKNOWN, 1);

    assertThat(coupons().notYetInStock(PAGE)).containsExactly(coupon);
  }

  @Test
  void a_change_of_the_revision_before_is_kept_and_is_not_yet_in_stock() {
    var before = added(aCoupon().withTotal(10).withRevision(4).build());
    coupons().nowInStock(before.id(), 4);
    var changed = aCoupon().withTotal(25).withRevision(5).paused().build();

    assertThat(change(before, changed)).isTrue();

    assertThat(coupons().find(before.id())).contains(changed);
    assertThat(coupons().notYetInStock(PAGE)).containsExactly(changed);
    assertThat(coupons().isInStock(before.id(), 4)).isTrue();
    assertThat(coupons().isInStock(before.id(), 5)).isFalse();
    coupons().nowInStock(before.id(), 5);
    assertThat(coupons().notYetInStock(PAGE)).isEmpty();
  }

  @Test
  void of_two_changes_of_one_revision_the_first_is_kept() {
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
  void of_changes_made_at_once_each_revision_has_one() throws Exception {
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
