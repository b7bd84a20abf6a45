package io.firstcome.adapter.persistence.plan;

import static io.firstcome.adapter.persistence.plan.ManyUserCoupons.COLLECTOR;
import static io.firstcome.adapter.persistence.plan.ManyUserCoupons.TODAY;
import static io.firstcome.adapter.persistence.plan.ManyUserCoupons.WELCOME;
import static io.firstcome.adapter.persistence.plan.PlanCase.reading;

import io.firstcome.contracts.database.DatabasePorts;
import io.firstcome.domain.audit.AuditEntryId;
import io.firstcome.domain.issuance.SlotOwner;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.usercoupon.RedemptionId;
import io.firstcome.domain.usercoupon.UserCoupon;
import io.firstcome.domain.usercoupon.UserCouponState;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The statements that find single rows, and audit entries. */
final class LookUpPlans {

  private static final int BATCH = 500;

  /** The largest page of the API, and one row more to detect a next page. */
  private static final int PAGE = 101;

  private final ManyUserCoupons many;
  private final DatabasePorts ports;

  LookUpPlans(ManyUserCoupons many, DatabasePorts ports) {
    this.many = many;
    this.ports = ports;
  }

  List<PlanCase> all() {
    return Stream.of(userCoupons(), auditOfCoupon(), auditOfUserCoupon(), auditOfOperators())
        .flatMap(List::stream)
        .toList();
  }

  private List<PlanCase> userCoupons() {
    var used =
        (UserCoupon.Used)
            ports.userCoupons().page(COLLECTOR, UserCouponState.USED, TODAY, null, 1).getFirst();
    var redemption = new RedemptionId(used.id(), used.redemption().orderId());
    var users = someOwners();
    var ofCollector =
        ports.userCoupons().page(COLLECTOR, null, TODAY, null, 10).stream()
            .map(UserCoupon::couponId)
            .toList();
    return List.of(
        reading("user coupon by id", db -> db.userCoupons().find(used.id()))
            .by("user_coupon_pkey", "redemption_pkey", "coupon_pkey", "coupon_number_is_unique")
            .readsAtMost(5),
        reading("user coupon by code", db -> db.userCoupons().find(used.identity().code()))
            .by("user_coupon_pkey", "redemption_pkey", "coupon_number_is_unique")
            .readsAtMost(4),
        reading(
                "user coupon by coupon and user",
                db -> db.userCoupons().find(used.couponId(), COLLECTOR))
            .by(
                "user_coupon_one_per_user",
                "redemption_pkey",
                "coupon_pkey",
                "coupon_number_is_unique")
            .readsAtMost(5),
        reading(
                "user coupons by user and ten coupons",
                db -> db.userCoupons().findAll(COLLECTOR, ofCollector))
            .by(
                "user_coupon_one_per_user",
                "redemption_pkey",
                "coupon_pkey",
                "coupon_number_is_unique")
            .gives(ofCollector.size())
            .readsAtMost(6L * ofCollector.size()),
        reading("owners among 500 users", db -> db.userCoupons().owners(WELCOME, users))
            .by("user_coupon_one_per_user", "coupon_pkey")
            .gives(users.size())
            .readsAtMost(BATCH + 1),
        reading("user coupons of 500 users", db -> db.userCoupons().findAll(WELCOME, users))
            .by(
                "user_coupon_one_per_user",
                "redemption_pkey",
                "coupon_pkey",
                "coupon_number_is_unique")
            .gives(users.size())
            .readsAtMost(4L * BATCH + 1),
        reading("redemption", db -> db.userCoupons().findRedemption(redemption))
            .by("redemption_pkey", "user_coupon_pkey", "coupon_pkey", "coupon_number_is_unique")
            .readsAtMost(4),
        reading(
                "redemptions of an order",
                db ->
                    db.userCoupons()
                        .redemptions(
                            Objects.requireNonNull(used.redemption().shop()),
                            used.redemption().orderId(),
                            PAGE))
            .by("redemption_of_order", "user_coupon_pkey", "coupon_number_is_unique")
            .readsAtMost(4)
            .sortsAtMost(1));
  }

  private Set<UserId> someOwners() {
    return ports.userCoupons().slotOwners(WELCOME, null, BATCH).stream()
        .map(SlotOwner::userId)
        .collect(Collectors.toSet());
  }

  /** WELCOME has a tenth of all entries. */
  private List<PlanCase> auditOfCoupon() {
    var middle = new AuditEntryId(many.rows() / 10);
    return List.of(
        reading("audit of a coupon, first page", db -> db.audit().ofCoupon(WELCOME, null, PAGE))
            .by("audit_entry_by_coupon")
            .gives(PAGE)
            .readsAtMost(PAGE),
        reading("audit of a coupon, deep page", db -> db.audit().ofCoupon(WELCOME, middle, PAGE))
            .by("audit_entry_by_coupon")
            .gives(PAGE)
            .readsAtMost(PAGE));
  }

  /** Their entries are older than those of user coupons, of which there are many more. */
  private List<PlanCase> auditOfOperators() {
    return List.of(
        reading("audit of operators, first page", db -> db.audit().ofOperators(null, PAGE))
            .by("audit_entry_of_operators")
            .gives(PAGE)
            .readsAtMost(PAGE));
  }

  /** One user coupon has a thousand entries, and most have none. */
  private List<PlanCase> auditOfUserCoupon() {
    var busy = ports.userCoupons().find(ManyUserCoupons.BUSY, COLLECTOR).orElseThrow().id();
    var middle = ports.audit().ofUserCoupon(busy, null, BATCH).getLast().id();
    var quiet = ports.userCoupons().find(ManyUserCoupons.QUIET, COLLECTOR).orElseThrow().id();
    return List.of(
        reading(
                "audit of a user coupon, first page",
                db -> db.audit().ofUserCoupon(busy, null, PAGE))
            .by("audit_entry_by_user_coupon")
            .gives(PAGE)
            .readsAtMost(PAGE),
        reading(
                "audit of a user coupon, deep page",
                db -> db.audit().ofUserCoupon(busy, middle, PAGE))
            .by("audit_entry_by_user_coupon")
            .gives(PAGE)
            .readsAtMost(PAGE),
        reading(
                "audit of a user coupon without entries",
                db -> db.audit().ofUserCoupon(quiet, null, PAGE))
            .by("audit_entry_by_user_coupon")
            .gives(0));
  }
}
