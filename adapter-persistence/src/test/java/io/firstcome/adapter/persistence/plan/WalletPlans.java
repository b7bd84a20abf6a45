package io.firstcome.adapter.persistence.plan;

import static io.firstcome.adapter.persistence.plan.ManyUserCoupons.COLLECTOR;
import static io.firstcome.adapter.persistence.plan.ManyUserCoupons.TODAY;
import static io.firstcome.adapter.persistence.plan.ManyUserCoupons.WELCOME;
import static io.firstcome.adapter.persistence.plan.PlanCase.reading;

import io.firstcome.contracts.database.DatabasePorts;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.usercoupon.UserCouponCursor;
import io.firstcome.domain.usercoupon.UserCouponState;
import java.util.ArrayList;
import java.util.List;

/** The statements that list the user coupons of one user. */
final class WalletPlans {

  private static final String[] INDEXES = {
    "user_coupon_one_per_user", "redemption_pkey", "coupon_number_is_unique"
  };

  /** The largest page of the API, and one row more to detect a next page. */
  private static final int PAGE = 101;

  /** The number of user coupons that a quote considers. */
  private static final int CONSIDERED = 100;

  /** More user coupons than any user has except the collector. */
  private static final int OF_TYPICAL_USER = 30;

  private final ManyUserCoupons many;
  private final DatabasePorts ports;
  private final UserId typicalUser;

  WalletPlans(ManyUserCoupons many, DatabasePorts ports) {
    this.many = many;
    this.ports = ports;
    typicalUser = ports.userCoupons().slotOwners(WELCOME, null, 1).getFirst().userId();
  }

  List<PlanCase> all() {
    var all = new ArrayList<PlanCase>(pages());
    for (var state : UserCouponState.values()) {
      all.add(ofState(state));
    }
    all.addAll(quotes());
    return all;
  }

  /**
   * All user coupons of the user are sorted for each page. An index in the order of the pages would
   * slow down every insert; without it, only users with very many user coupons have slow pages.
   */
  private List<PlanCase> pages() {
    var half = ports.userCoupons().page(COLLECTOR, null, TODAY, null, many.ofCollector() / 2);
    var deep = UserCouponCursor.of(half.getLast());
    return List.of(
        reading(
                "wallet of the collector, first page",
                db -> db.userCoupons().page(COLLECTOR, null, TODAY, null, PAGE))
            .by(INDEXES)
            .gives(PAGE)
            .readsAtMost(5L * many.ofCollector())
            .sortsAtMost(2L * many.ofCollector()),
        reading(
                "wallet of the collector, deep page",
                db -> db.userCoupons().page(COLLECTOR, null, TODAY, deep, PAGE))
            .by(INDEXES)
            .gives(PAGE)
            .readsAtMost(5L * many.ofCollector())
            .sortsAtMost(2L * many.ofCollector()),
        reading(
                "wallet of a typical user",
                db -> db.userCoupons().page(typicalUser, null, TODAY, null, PAGE))
            .by(INDEXES)
            .gives(countOf(typicalUser))
            .readsAtMost(5 * OF_TYPICAL_USER)
            .sortsAtMost(OF_TYPICAL_USER));
  }

  private PlanCase ofState(UserCouponState state) {
    return reading(
            "wallet of the collector, only " + state,
            db -> db.userCoupons().page(COLLECTOR, state, TODAY, null, PAGE))
        .by(INDEXES)
        .gives(ports.userCoupons().page(COLLECTOR, state, TODAY, null, PAGE).size())
        .readsAtMost(5L * many.ofCollector())
        .sortsAtMost(2L * many.ofCollector());
  }

  /** The usable ones come first, so all user coupons of the user are read. */
  private List<PlanCase> quotes() {
    return List.of(
        reading("quote of the collector", db -> db.userCoupons().usableFirst(COLLECTOR, CONSIDERED))
            .by(INDEXES)
            .gives(countOf(COLLECTOR))
            .readsAtMost(5L * many.ofCollector())
            .sortsAtMost(2L * many.ofCollector()),
        reading(
                "quote of a typical user",
                db -> db.userCoupons().usableFirst(typicalUser, CONSIDERED))
            .by(INDEXES)
            .gives(countOf(typicalUser))
            .readsAtMost(5 * OF_TYPICAL_USER)
            .sortsAtMost(OF_TYPICAL_USER));
  }

  private long countOf(UserId userId) {
    return ports.userCoupons().usableFirst(userId, CONSIDERED).size();
  }
}
