package io.firstcome.contracts.database;

import static io.firstcome.contracts.CouponFixtures.ACCEPTED_AT;
import static io.firstcome.contracts.CouponFixtures.OPERATOR;
import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.contracts.CouponFixtures;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.CouponSection;
import io.firstcome.domain.coupon.CouponStatus;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.coupon.StoredCoupon;
import io.firstcome.domain.coupon.Validity;
import io.firstcome.domain.coupon.WaitingRoom;
import io.firstcome.domain.port.CouponRepository;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Which coupons each list of a {@link CouponRepository} has, and in which order. */
public abstract class CouponListsContract extends DatabaseContract {

  private CouponRepository coupons() {
    return database().coupons();
  }

  private Coupon added(Coupon coupon) {
    assertThat(coupons().addIfAbsent(coupon, OPERATOR, ACCEPTED_AT)).isTrue();
    return coupon;
  }

  @Test
  void coupons_with_waiting_rooms_are_listed_while_users_can_join() {
    var joinsFrom = Instant.parse("2030-01-01T11:00:00Z");
    var opensAt = Instant.parse("2030-01-01T12:00:00Z");
    var closesAt = Instant.parse("2030-01-01T13:00:00Z");
    var room =
        new WaitingRoom(
            WaitingRoom.Mode.CLAIM,
            WaitingRoom.Order.DRAW,
            joinsFrom,
            10,
            Duration.ofSeconds(60),
            true,
            true);
    var first = defined(aCoupon().withId("AA").opening(opensAt, closesAt).withWaitingRoom(room));
    defined(aCoupon().withId("BB").opening(opensAt, closesAt));
    var closed =
        defined(aCoupon().withId("CC").opening(opensAt, closesAt).withWaitingRoom(room).closed());
    defined(aCoupon().withId("DD").opening(opensAt, closesAt).withWaitingRoom(room).draft());
    var last =
        defined(aCoupon().withId("EE").opening(opensAt, closesAt).withWaitingRoom(room).paused());
    var minute = Duration.ofMinutes(1);

    assertThat(rooms(joinsFrom.minus(minute), minute)).containsExactly(first, last);
    assertThat(rooms(closesAt.plus(minute).minusMillis(1), minute)).containsExactly(first, last);
    assertThat(rooms(joinsFrom.minus(minute).minusMillis(1), minute)).isEmpty();
    assertThat(rooms(closesAt.plus(minute), minute)).isEmpty();
    assertThat(database().coupons().withWaitingRooms(opensAt, minute, null, 1))
        .containsExactly(first);
    assertThat(database().coupons().withWaitingRooms(opensAt, minute, first.id(), 1))
        .containsExactly(last);
    assertThat(database().coupons().withWaitingRooms(null, PAGE))
        .containsExactly(first, closed, last);
    assertThat(database().coupons().withWaitingRooms(first.id(), 1)).containsExactly(closed);
  }

  private List<String> section(CouponSection section, String text, int skipped, int max) {
    var now = Instant.parse("2030-01-01T12:00:00Z");
    return coupons().ofSection(section, now, text, skipped, max).stream()
        .map(stored -> stored.coupon().id().value())
        .toList();
  }

  @Test
  void each_coupon_is_in_one_section_which_has_an_order() {
    var nine = Instant.parse("2030-01-01T09:00:00Z");
    var noon = Instant.parse("2030-01-01T12:00:00Z");
    var three = Instant.parse("2030-01-01T15:00:00Z");
    defined(aCoupon().withId("ENDED").opening(nine, noon));
    defined(aCoupon().withId("CLOSED").opening(noon, three).closed());
    defined(aCoupon().withId("OPEN-LATER").opening(noon, three));
    defined(aCoupon().withId("OPEN-FIRST").opening(nine, three).paused());
    defined(aCoupon().withId("NEXT").opening(noon.plusMillis(1), three));
    defined(aCoupon().withId("NEXT-AFTER").opening(three, three.plusSeconds(1)));
    defined(aCoupon().withId("AS-NEXT-AFTER").opening(three, three.plusSeconds(1)));
    defined(aCoupon().withId("DRAFT").opening(nine, noon).draft());
    defined(aCoupon().withId("ARCHIVED").opening(nine, noon).archived());

    assertThat(section(CouponSection.OPEN, "", 0, PAGE))
        .containsExactly("OPEN-LATER", "OPEN-FIRST");
    assertThat(section(CouponSection.SCHEDULED, "", 0, PAGE))
        .containsExactly("NEXT", "AS-NEXT-AFTER", "NEXT-AFTER");
    assertThat(section(CouponSection.DRAFT, "", 0, PAGE)).containsExactly("DRAFT");
    assertThat(section(CouponSection.ENDED, "", 0, PAGE)).containsExactly("CLOSED", "ENDED");
    assertThat(section(CouponSection.ARCHIVED, "", 0, PAGE)).containsExactly("ARCHIVED");
    assertThat(section(CouponSection.SCHEDULED, "", 1, 1)).containsExactly("AS-NEXT-AFTER");
    assertThat(section(CouponSection.SCHEDULED, "-aft", 0, PAGE))
        .containsExactly("AS-NEXT-AFTER", "NEXT-AFTER");
  }

  @Test
  void a_section_is_searched_by_id_and_name_without_special_characters() {
    defined(aCoupon().withId("AA").named("Summer 50% off"));
    defined(aCoupon().withId("BB").named("Summer 50 off"));
    defined(aCoupon().withId("CC").named("Under_score"));

    assertThat(section(CouponSection.OPEN, "SUMMER", 0, PAGE)).containsExactly("AA", "BB");
    assertThat(section(CouponSection.OPEN, "50%", 0, PAGE)).containsExactly("AA");
    assertThat(section(CouponSection.OPEN, "_", 0, PAGE)).containsExactly("CC");
    assertThat(section(CouponSection.OPEN, "bb", 0, PAGE)).containsExactly("BB");
    assertThat(section(CouponSection.OPEN, "nothing", 0, PAGE)).isEmpty();
  }

  private List<Coupon> rooms(Instant now, Duration around) {
    return database().coupons().withWaitingRooms(now, around, null, PAGE);
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

    added(aCoupon().withId("REHEARSAL-1").build());

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
                .withValidity(new Validity.Until(closesAt))
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
  void the_code_keys_of_coupons_that_are_not_archived_are_listed() {
    added(aCoupon().withId("A1").withCodeKeyVersion(1).archived().build());
    added(aCoupon().withId("A2").withCodeKeyVersion(2).closed().build());
    added(aCoupon().withId("A3").withCodeKeyVersion(3).inPostgres().build());
    added(aCoupon().withId("A4").withCodeKeyVersion(3).build());

    assertThat(coupons().codeKeyVersions()).containsExactlyInAnyOrder(2, 3);
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
  void several_coupons_are_found_at_once() {
    var one = added(aCoupon().withId("ONE").build());
    var two = added(aCoupon().withId("TWO").build());
    added(aCoupon().withId("THREE").build());

    assertThat(coupons().findAll(List.of(one.id(), new CouponId("NONE"), two.id())))
        .containsExactlyInAnyOrder(one, two);
    assertThat(coupons().findAll(List.of())).isEmpty();
  }
}
