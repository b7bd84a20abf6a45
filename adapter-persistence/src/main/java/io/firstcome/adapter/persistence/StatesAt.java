package io.firstcome.adapter.persistence;

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

  /** Not held, or not any more. */
  private static Condition isFree(Instant now) {
    return isRecorded(UserCouponState.ISSUED)
        .or(isRecorded(UserCouponState.HELD).and(REDEMPTION.HELD_UNTIL.le(now)));
  }

  /**
   * Written so that no index has it. Who reads the user coupons of one user or coupon would else
   * read the index of those that have not ended as well, millions of entries, to leave out a few
   * rows.
   */
  private static Condition isOver(Instant now) {
    return condition("({0}) IS TRUE", USER_COUPON.EXPIRES_AT.le(now));
  }

  static Condition isRecorded(UserCouponState state) {
    return USER_COUPON.STATE.eq(state.name());
  }

  /**
   * One statement, so that no user coupon is counted in two states, or in none. Only those of held
   * ones are looked up among the redemptions, which are many: the limit keeps the planner from
   * joining them all.
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
            .where(USER_COUPON.COUPON_ID.eq(couponId.value()))
            .fetchSingle();
    var counts = new EnumMap<UserCouponState, Long>(UserCouponState.class);
    for (int i = 0; i < states.length; i++) {
      counts.put(states[i], row.get(i, Long.class));
    }
    return counts;
  }
}
