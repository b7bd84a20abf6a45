package io.firstcome.adapter.persistence.plan;

import static io.firstcome.adapter.persistence.plan.ManyUserCoupons.TODAY;
import static io.firstcome.adapter.persistence.plan.ManyUserCoupons.WELCOME;
import static io.firstcome.adapter.persistence.plan.PlanCase.writing;
import static io.firstcome.contracts.CouponFixtures.acceptedClaim;

import io.firstcome.contracts.database.DatabasePorts;
import io.firstcome.domain.coupon.Money;
import io.firstcome.domain.shop.OrderId;
import io.firstcome.domain.usercoupon.AcceptedClaim;
import io.firstcome.domain.usercoupon.Actor;
import io.firstcome.domain.usercoupon.Redemption;
import io.firstcome.domain.usercoupon.UserCoupon;
import io.firstcome.domain.usercoupon.UserCouponChange;
import java.util.Currency;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The statements that record claims and steps, in batches. */
final class RecordingPlans {

  /** Inserts rows and their events. */
  private static final String INSERT = "with \"inserted\"";

  private static final String OBSTACLES = "select coalesce((select";
  private static final String UPDATE = "update \"user_coupon\"";
  private static final String PUT_REDEMPTION = "insert into \"redemption\"";
  private static final String END_REDEMPTION = "update \"redemption\"";
  private static final String ADD_TO_AUDIT = "insert into \"audit_entry\"";

  private static final int BATCH = 500;

  private final ManyUserCoupons many;
  private final DatabasePorts ports;

  RecordingPlans(ManyUserCoupons many, DatabasePorts ports) {
    this.many = many;
    this.ports = ports;
  }

  List<PlanCase> all() {
    return Stream.of(claimsRecorded(), stepsRecorded()).flatMap(List::stream).toList();
  }

  private List<PlanCase> claimsRecorded() {
    var claims = claims();
    return List.of(
        writing("record 500 claims", INSERT, db -> db.userCoupons().record(claims))
            .by("coupon_pkey", "user_coupon_earlier_holders", "coupon_number_is_unique")
            .gives(BATCH)
            .readsAtMost(2 * BATCH)
            // Once for the insert, once for the events.
            .sortsAtMost(2 * BATCH),
        writing(
                "record 500 claims again: conflicting rows",
                OBSTACLES,
                db -> {
                  db.userCoupons().record(claims);
                  db.userCoupons().record(claims);
                })
            .by(
                "coupon_pkey",
                "user_coupon_one_per_user",
                "user_coupon_one_live_per_slot",
                "user_coupon_pkey")
            .gives(BATCH)
            .readsAtMost(5 * BATCH)
            .sortsAtMost(BATCH));
  }

  private List<AcceptedClaim> claims() {
    var coupon = ports.coupons().find(WELCOME).orElseThrow();
    return IntStream.rangeClosed(1, BATCH)
        .mapToObj(n -> acceptedClaim(coupon, "new-" + n, many.ofWelcome() + n, 1))
        .toList();
  }

  /** Steps of overdue user coupons, some of which are held. */
  private List<PlanCase> stepsRecorded() {
    var found = ports.userCoupons().overdue(ManyUserCoupons.MANY_ARE_OVERDUE, 50 * BATCH);
    var issued = some(found, UserCoupon.Issued.class);
    var held = some(found, UserCoupon.Held.class);
    var expiry = changes(issued, UserCoupon.Issued::expire);
    var holds = changes(issued, one -> one.hold(redemption("order-" + one.slot()), TODAY));
    var releases = changes(held, one -> one.release(TODAY));
    return List.of(
        writing("record 500 steps", UPDATE, db -> db.userCoupons().change(expiry))
            .by("user_coupon_pkey")
            .gives(BATCH)
            .readsAtMost(BATCH),
        writing("record one step", UPDATE, db -> db.userCoupons().change(expiry.getFirst()))
            .by("user_coupon_pkey")
            .gives(1),
        writing("put 500 redemptions", PUT_REDEMPTION, db -> db.userCoupons().change(holds))
            .readsAtMost(BATCH),
        writing("end 500 redemptions", END_REDEMPTION, db -> db.userCoupons().change(releases))
            .by("redemption_pkey")
            .readsAtMost(BATCH),
        writing("audit 500 steps", ADD_TO_AUDIT, db -> db.userCoupons().change(expiry))
            .readsAtMost(BATCH)
            .sortsAtMost(BATCH));
  }

  private static <T extends UserCoupon> List<T> some(List<UserCoupon> found, Class<T> state) {
    return found.stream().filter(state::isInstance).map(state::cast).limit(BATCH).toList();
  }

  private static <T extends UserCoupon> List<UserCouponChange> changes(
      List<T> userCoupons, Function<T, UserCoupon> step) {
    return userCoupons.stream()
        .map(before -> new UserCouponChange(before, step.apply(before), Actor.TIME, TODAY))
        .toList();
  }

  private static Redemption redemption(String orderId) {
    var euro = Currency.getInstance("EUR");
    return new Redemption(new OrderId(orderId), new Money(5_000, euro), new Money(500, euro));
  }
}
