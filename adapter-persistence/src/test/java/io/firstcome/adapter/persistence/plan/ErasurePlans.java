package io.firstcome.adapter.persistence.plan;

import static io.firstcome.adapter.persistence.plan.ManyUserCoupons.COLLECTOR;
import static io.firstcome.adapter.persistence.plan.ManyUserCoupons.TODAY;
import static io.firstcome.adapter.persistence.plan.ManyUserCoupons.WELCOME;
import static io.firstcome.adapter.persistence.plan.PlanCase.reading;
import static io.firstcome.adapter.persistence.plan.PlanCase.writing;

import io.firstcome.contracts.CouponFixtures;
import io.firstcome.contracts.database.DatabasePorts;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.erasure.ErasureId;
import io.firstcome.domain.issuance.UserId;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** The statements of erasures. What they read depends on the user and not on the other users. */
final class ErasurePlans {

  private static final String IS_IN = "select exists (select 1 from \"%s\"";
  private static final String OF_DEAD_LETTER = IS_IN.formatted("dead_letter") + " where %s";
  private static final UserId NOBODY = new UserId("nobody");
  private static final int PAGE = 100;

  /** A coupon of a campaign. */
  private static final CouponId OF_CAMPAIGN = new CouponId("SOLO-3");

  private final ManyUserCoupons many;
  private final DatabasePorts ports;

  ErasurePlans(ManyUserCoupons many, DatabasePorts ports) {
    this.many = many;
    this.ports = ports;
  }

  List<PlanCase> all() {
    return Stream.of(searches(), ofOneCoupon()).flatMap(List::stream).toList();
  }

  private List<PlanCase> searches() {
    Consumer<DatabasePorts> ending = db -> db.erasures().end(request(db, NOBODY), TODAY);
    return List.of(
        reading("erasures that have not ended", db -> db.erasures().pending(null, PAGE))
            .by("erasure_pending")
            .gives(0),
        reading("coupons of a user", db -> db.erasures().coupons(COLLECTOR, null, PAGE))
            .by("user_coupon_one_per_user", "coupon_number_is_unique", "rejected_claim_by_user")
            .gives(PAGE)
            // For each row its coupon, once for the condition of the page and once for the result.
            .readsAtMost(3L * many.ofCollector())
            .sortsAtMost(many.ofCollector()),
        writing("late claims of a user", IS_IN.formatted("late_claim"), ending)
            .by("late_claim_by_user")
            .gives(1),
        writing(
                "dead letters of a user",
                OF_DEAD_LETTER.formatted("\"dead_letter\".\"user_ids\""),
                ending)
            .by("dead_letter_by_user")
            .gives(1),
        writing(
                "messages that name a user",
                OF_DEAD_LETTER.formatted("(\"dead_letter\".\"body\""),
                ending)
            .by("dead_letter_unreadable")
            .gives(1),
        writing("user coupons of a user", IS_IN.formatted("user_coupon"), ending)
            .by("user_coupon_one_per_user")
            .gives(1),
        writing("rejected claims of a user", IS_IN.formatted("rejected_claim"), ending)
            .by("rejected_claim_by_user")
            .gives(1));
  }

  private List<PlanCase> ofOneCoupon() {
    var owner = ports.userCoupons().slotOwners(WELCOME, null, 1).getFirst().userId();
    Consumer<DatabasePorts> withEvents = db -> erase(db, owner, WELCOME);
    Consumer<DatabasePorts> erasing = db -> erase(db, COLLECTOR, OF_CAMPAIGN);
    long events = many.ofWelcome() / (10L * ManyUserCoupons.EVENTS_PER_ROW) + 1;
    return List.of(
        writing("unpublished events of a user coupon", IS_IN.formatted("event_outbox"), withEvents)
            .by("event_outbox_by_coupon")
            .gives(1)
            // Of first and of second owners, each counted for the index and for the table.
            .readsAtMost(4 * events),
        writing("deliveries with a user", IS_IN.formatted("webhook_delivery"), withEvents)
            .by("webhook_delivery_with_users")
            .gives(1),
        writing("coupons that have a pseudonym", "update \"coupon\"", erasing)
            .by("coupon_pkey")
            // Two, each counted for the index and for the table.
            .readsAtMost(4),
        writing("the user coupon to erase", "select \"user_coupon\".\"issued_at\"", erasing)
            .by("user_coupon_one_per_user")
            .gives(1),
        writing("a user coupon is erased", "update \"user_coupon\"", erasing)
            .by("user_coupon_pkey")
            .readsAtMost(1),
        writing("its unpublished events are erased", "update \"event_outbox\"", erasing)
            .by("event_outbox_by_coupon")
            .readsAtMost(1));
  }

  private static ErasureId request(DatabasePorts db, UserId user) {
    return db.erasures().request(user, CouponFixtures.OPERATOR, TODAY).id();
  }

  private static void erase(DatabasePorts db, UserId user, CouponId couponId) {
    db.erasures()
        .erase(request(db, user), couponId, UserId.pseudonym("of-" + user), true, () -> {});
  }
}
