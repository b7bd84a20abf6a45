package io.firstcome.adapter.persistence.plan;

import static io.firstcome.adapter.persistence.plan.ManyUserCoupons.WELCOME;
import static io.firstcome.adapter.persistence.plan.PlanCase.reading;
import static io.firstcome.adapter.persistence.plan.PlanCase.writing;

import io.firstcome.contracts.database.DatabasePorts;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.SlotOwner;
import io.firstcome.domain.issuance.UserId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** The statements of the background work. */
final class BackgroundPlans {

  /** The batch size of expiry. */
  private static final int BATCH = 500;

  /** The page size of background work. */
  private static final int PAGE = 1_000;

  /** A page of the public list, with fewer coupons than are listed in a small database. */
  private static final int LISTED = 101;

  /** Fewer than the user coupons of each archived coupon. */
  private static final int RETENTION_BATCH = 100;

  private static final Instant LONG_AGO = Instant.parse("2000-01-01T00:00:00Z");

  private final Instant aDayAgo = Instant.now().minus(Duration.ofDays(1));
  private final ManyUserCoupons many;
  private final DatabasePorts ports;

  BackgroundPlans(ManyUserCoupons many, DatabasePorts ports) {
    this.many = many;
    this.ports = ports;
  }

  List<PlanCase> all() {
    return Stream.of(expiry(), slots(), slotsToReturn(), archive(), retention(), events())
        .flatMap(List::stream)
        .toList();
  }

  /**
   * The cost of a batch depends on its size and not on the number of overdue user coupons. Only
   * those of one time and slot, which are of different coupons, are sorted.
   */
  private List<PlanCase> expiry() {
    return List.of(
        reading("overdue, when nothing is", db -> db.userCoupons().overdue(LONG_AGO, BATCH))
            .by("user_coupon_unexpired", "redemption_pkey", "coupon_number_is_unique")
            .gives(0),
        reading(
                "overdue, when a tenth of all is",
                db -> db.userCoupons().overdue(ManyUserCoupons.MANY_ARE_OVERDUE, BATCH))
            .by("user_coupon_unexpired", "redemption_pkey", "coupon_number_is_unique")
            .gives(BATCH)
            .readsAtMost(4 * BATCH));
  }

  private List<PlanCase> slots() {
    var deep = new SlotOwner(new UserId("any"), new Slot(many.ofWelcome() / 2), 1, true);
    return List.of(
        reading(
                "owners of slots, first page",
                db -> db.userCoupons().slotOwners(WELCOME, null, PAGE))
            .by("user_coupon_one_live_per_slot", "user_coupon_earlier_holders", "coupon_pkey")
            .gives(PAGE)
            .readsAtMost(2 * PAGE)
            .sortsAtMost(PAGE + 1),
        reading(
                "owners of slots, deep page",
                db -> db.userCoupons().slotOwners(WELCOME, deep, PAGE))
            .by("user_coupon_one_live_per_slot", "user_coupon_earlier_holders", "coupon_pkey")
            .gives(PAGE)
            .readsAtMost(2 * PAGE)
            .sortsAtMost(PAGE + 1),
        reading("users with two user coupons", db -> db.userCoupons().duplicateUsers(WELCOME))
            .by("user_coupon_one_live_per_slot", "user_coupon_earlier_holders", "coupon_pkey")
            .readsAtMost(2 * (many.ofWelcome() + many.rows() / 400)));
  }

  /**
   * What is checked before a coupon is archived, besides its slots; queries of operators; and what
   * is read of waiting rooms.
   */
  private List<PlanCase> archive() {
    int coupons = ports.coupons().page(null, null, PAGE).size();
    var promotion = somePromotion();
    long ofPromotion = userCoupons(promotion);
    return List.of(
        reading("is a slot of the coupon to go back", db -> db.slotReturns().isPending(WELCOME))
            .by("user_coupon_unreleased_slot", "coupon_pkey")
            .readsAtMost(2),
        reading(
                "a coupon's counts by state",
                db -> db.userCoupons().countByState(promotion, ManyUserCoupons.TODAY))
            .by(
                "user_coupon_one_live_per_slot",
                "user_coupon_earlier_holders",
                "redemption_pkey",
                "coupon_pkey")
            .readsAtMost(4 * ofPromotion),
        reading("coupons, first page", db -> db.coupons().page(null, null, PAGE))
            .by("coupon_pkey", "campaign_pkey")
            .gives(coupons)
            // And their campaigns, of which there is one.
            .readsAtMost(coupons + 1),
        reading("coupons for customers, first page", db -> db.coupons().listed(null, LISTED))
            .by("coupon_listed")
            .gives(LISTED)
            .readsAtMost(LISTED),
        reading(
                "open coupons, first page",
                db -> db.coupons().open(ManyUserCoupons.TODAY, null, LISTED))
            .by("coupon_listed", "campaign_pkey")
            .gives(LISTED)
            .readsAtMost(LISTED + 1),
        reading(
                "coupons that are due for archive",
                db -> db.coupons().dueForArchive(ManyUserCoupons.TODAY, null, PAGE))
            .by("coupon_archived_by_itself", "campaign_pkey")
            .gives(0),
        reading(
                "coupons with waiting rooms",
                db ->
                    db.coupons()
                        .withWaitingRooms(ManyUserCoupons.TODAY, Duration.ofMinutes(1), null, PAGE))
            .by("coupon_with_waiting_room", "campaign_pkey")
            .gives(0),
        reading("coupons with tickets", db -> db.coupons().withWaitingRooms(null, PAGE))
            .by("coupon_with_waiting_room", "campaign_pkey")
            .gives(0));
  }

  /** The cost of a batch depends on its size and not on the number of rows that stay. */
  private List<PlanCase> retention() {
    var due = ports.retention().due(aDayAgo, null, PAGE);
    var before = notBegun(due);
    var begun = due.stream().filter(id -> !id.equals(before)).findFirst().orElseThrow();
    Consumer<DatabasePorts> beginning = db -> db.retention().begin(before, aDayAgo);
    Consumer<DatabasePorts> removing =
        db -> db.retention().removeNext(begun, null, RETENTION_BATCH, _ -> {});
    return List.of(
        reading("coupons whose retention is over", db -> db.retention().due(aDayAgo, null, PAGE))
            .by("coupon_with_rows_of_the_past")
            .gives(ManyUserCoupons.ARCHIVED_WITH_ROWS)
            .readsAtMost(2 * ManyUserCoupons.ARCHIVED_WITH_ROWS)
            .sortsAtMost(ManyUserCoupons.ARCHIVED_WITH_ROWS),
        writing("has the coupon events", "select exists (select 1 from \"event_outbox\"", beginning)
            .by("event_outbox_by_coupon")
            .gives(1),
        writing("user coupons to remove", "select \"user_coupon\".\"issued_at\"", removing)
            .by("user_coupon_one_live_per_slot", "redemption_pkey", "coupon_number_is_unique")
            .gives(RETENTION_BATCH)
            .readsAtMost(4 * RETENTION_BATCH)
            .sortsAtMost(2 * RETENTION_BATCH),
        writing("their audit entries", "select \"audit_entry\"", removing)
            .by("audit_entry_by_user_coupon")
            .readsAtMost(RETENTION_BATCH),
        writing("redemptions are removed", "delete from \"redemption\"", removing)
            .by("redemption_pkey")
            .readsAtMost(2 * RETENTION_BATCH),
        writing("user coupons are removed", "delete from \"user_coupon\"", removing)
            .by("user_coupon_pkey")
            .readsAtMost(2 * RETENTION_BATCH));
  }

  private CouponId notBegun(List<CouponId> due) {
    return due.stream()
        .filter(id -> ports.coupons().findStored(id).orElseThrow().removal() == null)
        .findFirst()
        .orElseThrow();
  }

  /** One of the promotions, which together have nearly all user coupons. */
  private CouponId somePromotion() {
    return ports.coupons().page(null, null, PAGE).stream()
        .map(stored -> stored.coupon().id())
        .filter(id -> id.value().startsWith("SALE-") && userCoupons(id) > BATCH / 2)
        .findFirst()
        .orElseThrow();
  }

  private long userCoupons(CouponId promotion) {
    var counts = ports.userCoupons().countByState(promotion, ManyUserCoupons.TODAY);
    return counts.values().stream().mapToLong(Long::longValue).sum();
  }

  /** The cost of a batch depends on its size and not on the number of unpublished events. */
  private List<PlanCase> events() {
    Consumer<DatabasePorts> publishing = db -> db.events().publishNext(BATCH, events -> {});
    return List.of(
        writing(
                "the oldest events",
                "select \"event_outbox\".\"event_id\", \"event_outbox\".\"type\"",
                publishing)
            .by("event_outbox_pkey")
            .gives(BATCH / ManyUserCoupons.EVENTS_PER_ROW)
            // The running sum reads one row ahead.
            .readsAtMost(BATCH + 1),
        writing(
                "the age of the oldest event",
                "select (extract(epoch from clock_timestamp()",
                db -> db.events().oldestAge())
            .by("event_outbox_pkey", "user_coupon_one_live_per_slot", "user_coupon_earlier_holders")
            .gives(1)
            .readsAtMost(3),
        writing(
                "user coupons of the oldest events",
                "select \"event_outbox\".\"event_id\", \"event_outbox\".\"coupon_id\"",
                publishing)
            .by("event_outbox_pkey", "user_coupon_one_live_per_slot", "user_coupon_earlier_holders")
            .gives(BATCH / ManyUserCoupons.EVENTS_PER_ROW * ManyUserCoupons.EVENTS_PER_ROW)
            .readsAtMost(3 * BATCH),
        writing("500 events are published", "delete from \"event_outbox\"", publishing)
            .by("event_outbox_pkey")
            .readsAtMost(BATCH));
  }

  private List<PlanCase> slotsToReturn() {
    var waiting = ports.slotReturns().pending(null, BATCH);
    var first = waiting.getFirst();
    var second = waiting.get(1);
    return List.of(
        reading("slots to go back, first page", db -> db.slotReturns().pending(null, PAGE))
            .by("user_coupon_unreleased_slot", "coupon_number_is_unique")
            .gives(waiting.size())
            .readsAtMost(4L * waiting.size())
            .sortsAtMost(waiting.size()),
        reading("slots to go back, next page", db -> db.slotReturns().pending(first, PAGE))
            .by("user_coupon_unreleased_slot", "coupon_pkey", "coupon_number_is_unique")
            .gives(waiting.size() - 1)
            .readsAtMost(4L * waiting.size())
            .sortsAtMost(waiting.size()),
        writing(
                "a slot is back",
                "update \"user_coupon\"",
                db -> db.slotReturns().noteReleased(first.id()))
            .by("user_coupon_pkey")
            .gives(1),
        writing(
                "a slot returns to sale",
                "insert into \"event_outbox\"",
                db -> db.slotReturns().noteReleased(second.id()))
            .by(
                "coupon_number_is_unique",
                "user_coupon_one_live_per_slot",
                "user_coupon_earlier_holders")
            .readsAtMost(3));
  }
}
