package io.firstcome.adapter.persistence;

import static io.firstcome.adapter.persistence.ManyUserCoupons.COLLECTOR;
import static io.firstcome.adapter.persistence.ManyUserCoupons.TODAY;
import static io.firstcome.adapter.persistence.ManyUserCoupons.WELCOME;
import static io.firstcome.adapter.persistence.PlanCase.reading;

import io.firstcome.contracts.database.DatabasePorts;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.usercoupon.UserCouponPlace;
import io.firstcome.domain.usercoupon.UserCouponState;
import java.util.ArrayList;
import java.util.List;

/** The statements that list what one user has. */
final class WalletPlans {

  private static final String[] INDEXES = {"user_coupon_of_user", "redemption_pkey"};

  /** The largest page of the API, and one to see whether there is another. */
  private static final int PAGE = 101;

  /** As many as a quote considers. */
  private static final int CONSIDERED = 1_000;

  /** Those of one time, which are put into the order of their ids. */
  private static final int OF_ONE_TIME = 5;

  /** More than anybody has who is no collector. */
  private static final int OF_SOMEBODY = 30;

  private final ManyUserCoupons many;
  private final DatabasePorts ports;
  private final UserId somebody;

  WalletPlans(ManyUserCoupons many, DatabasePorts ports) {
    this.many = many;
    this.ports = ports;
    somebody = ports.userCoupons().slotOwners(WELCOME, null, 1).getFirst().userId();
  }

  List<PlanCase> all() {
    var all = new ArrayList<PlanCase>(pages());
    for (var state : UserCouponState.values()) {
      all.add(ofState(state));
    }
    all.addAll(quotes());
    return all;
  }

  /** A page costs what it shows, however far down it is. */
  private List<PlanCase> pages() {
    var half = ports.userCoupons().page(COLLECTOR, null, TODAY, null, many.ofCollector() / 2);
    var deep = UserCouponPlace.of(half.getLast());
    return List.of(
        reading(
                "wallet of the collector, first page",
                db -> db.userCoupons().page(COLLECTOR, null, TODAY, null, PAGE))
            .by(INDEXES)
            .gives(PAGE)
            .readsAtMost(2 * (PAGE + OF_ONE_TIME))
            .sortsAtMost(PAGE + OF_ONE_TIME),
        reading(
                "wallet of the collector, deep page",
                db -> db.userCoupons().page(COLLECTOR, null, TODAY, deep, PAGE))
            .by(INDEXES)
            .gives(PAGE)
            .readsAtMost(2 * (PAGE + 2 * OF_ONE_TIME))
            .sortsAtMost(PAGE + 2 * OF_ONE_TIME),
        reading(
                "wallet of somebody",
                db -> db.userCoupons().page(somebody, null, TODAY, null, PAGE))
            .by(INDEXES)
            .gives(countOf(somebody))
            .readsAtMost(2 * OF_SOMEBODY)
            .sortsAtMost(OF_SOMEBODY));
  }

  /**
   * All that a user has is read until the page is full. An index that knows the state as well would
   * cost every insert and every step; those pay instead who have very many and look for few.
   */
  private PlanCase ofState(UserCouponState state) {
    return reading(
            "wallet of the collector, only " + state,
            db -> db.userCoupons().page(COLLECTOR, state, TODAY, null, PAGE))
        .by(INDEXES)
        .gives(ports.userCoupons().page(COLLECTOR, state, TODAY, null, PAGE).size())
        .readsAtMost(3L * many.ofCollector())
        .sortsAtMost(many.ofCollector());
  }

  /** The usable ones come first, so all that the user has are looked at. */
  private List<PlanCase> quotes() {
    return List.of(
        reading("quote of the collector", db -> db.userCoupons().usableFirst(COLLECTOR, CONSIDERED))
            .by(INDEXES)
            .gives(countOf(COLLECTOR))
            .readsAtMost(3L * many.ofCollector())
            .sortsAtMost(many.ofCollector()),
        reading("quote of somebody", db -> db.userCoupons().usableFirst(somebody, CONSIDERED))
            .by(INDEXES)
            .gives(countOf(somebody))
            .readsAtMost(3 * OF_SOMEBODY)
            .sortsAtMost(OF_SOMEBODY));
  }

  private long countOf(UserId userId) {
    return ports.userCoupons().usableFirst(userId, CONSIDERED).size();
  }
}
