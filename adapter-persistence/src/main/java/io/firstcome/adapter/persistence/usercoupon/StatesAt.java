package io.firstcome.adapter.persistence.usercoupon;

import static io.firstcome.adapter.persistence.generated.Tables.REDEMPTION;
import static io.firstcome.adapter.persistence.generated.Tables.USER_COUPON;
import static org.jooq.impl.DSL.condition;
import static org.jooq.impl.DSL.count;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.lateral;
import static org.jooq.impl.DSL.not;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.trueCondition;

import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.usercoupon.UserCoupon;
import io.firstcome.domain.usercoupon.UserCouponState;
import java.time.Instant;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Record;

/**
 * {@link UserCoupon#at} in SQL: the state that the rows of {@link UserCouponRows#select} have at a
 * time.
 */
final class StatesAt {

  private StatesAt() {}

  static Condition isAt(UserCouponState state, Instant now) {
    return switch (state) {
      case ISSUED -> isFree(now).and(not(isOver(now)));
      case HELD -> isRecorded(state).and(REDEMPTION.HELD_UNTIL.gt(now));
      case EXPIRED -> isRecorded(state).or(isFree(now).and(isOver(now)));
      case USED, RETURNED, REVOKED -> isRecorded(state);
    };
  }

  /** Not held, or the hold is over. */
  private static Condition isFree(Instant now) {
    return isRecorded(UserCouponState.ISSUED)
        .or(isRecorded(UserCouponState.HELD).and(REDEMPTION.HELD_UNTIL.le(now)));
  }

  /**
   * Written so that no index matches. Otherwise a query for one user or one coupon would also read
   * the index of user coupons that have not ended, millions of entries, to exclude a few rows.
   */
  private static Condition isOver(Instant now) {
    return condition("({0}) IS TRUE", USER_COUPON.EXPIRES_AT.le(now));
  }

  static Condition isRecorded(UserCouponState state) {
    return USER_COUPON.STATE.eq(state.name());
  }

  /**
   * One statement, so that each user coupon is counted in exactly one state. Redemptions are looked
   * up only for held user coupons: the limit keeps the planner from joining the whole table.
   */
  static Map<UserCouponState, Long> countByState(DSLContext dsl, CouponId couponId, Instant now) {
    var states = UserCouponState.values();
    var redemptionOfHeld =
        select(REDEMPTION.HELD_UNTIL)
            .from(REDEMPTION)
            .where(UserCouponRows.IS_TAKEN_FOR)
            .and(USER_COUPON.STATE.eq(inline(UserCouponState.HELD.name())))
            .limit(inline(1));
    Record row =
        dsl.select(
                Arrays.stream(states).map(state -> count().filterWhere(isAt(state, now))).toList())
            .from(USER_COUPON)
            .leftJoin(lateral(redemptionOfHeld).as(REDEMPTION))
            .on(trueCondition())
            .where(UserCouponRows.isOf(couponId))
            .fetchSingle();
    var counts = new EnumMap<UserCouponState, Long>(UserCouponState.class);
    for (int i = 0; i < states.length; i++) {
      counts.put(states[i], row.get(i, Long.class));
    }
    return counts;
  }
}
