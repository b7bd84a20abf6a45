package io.firstcome.adapter.persistence.usercoupon;

import static io.firstcome.adapter.persistence.generated.Tables.USER_COUPON;
import static org.jooq.impl.DSL.condition;
import static org.jooq.impl.DSL.noCondition;
import static org.jooq.impl.DSL.not;
import static org.jooq.impl.DSL.row;
import static org.jooq.impl.DSL.val;

import io.firstcome.adapter.persistence.coupon.CouponRows;
import io.firstcome.adapter.persistence.event.EventRows;
import io.firstcome.adapter.persistence.session.Database;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.port.SlotReturns;
import io.firstcome.domain.usercoupon.UserCoupon;
import io.firstcome.domain.usercoupon.UserCouponId;
import java.util.List;
import org.jooq.Condition;
import org.jspecify.annotations.Nullable;

/** {@link SlotReturns} in PostgreSQL: rows that are not live and not flagged as released. */
public final class JooqSlotReturns implements SlotReturns {

  /** The predicate of the index {@code user_coupon_unreleased_slot}. */
  static final Condition PENDING =
      not(UserCouponRows.LIVE).and(not(condition(USER_COUPON.SLOT_RELEASED)));

  private final Database database;

  public JooqSlotReturns(Database database) {
    this.database = database;
  }

  @Override
  public List<UserCoupon> pending(@Nullable UserCoupon after, int max) {
    return database.read(dsl ->
        UserCouponRows.selectReturned(
                dsl, PENDING.and(after == null ? noCondition() : isAfter(after)))
            .orderBy(USER_COUPON.COUPON_NUMBER, USER_COUPON.GENERATION, USER_COUPON.SLOT)
            .limit(max)
            .fetch(UserCouponRows::fromRow));
  }

  @Override
  public boolean isPending(CouponId couponId) {
    return database.read(
        dsl -> dsl.fetchExists(USER_COUPON, PENDING.and(UserCouponRows.hasCoupon(couponId))));
  }

  private static Condition isAfter(UserCoupon last) {
    return row(USER_COUPON.COUPON_NUMBER, USER_COUPON.GENERATION, USER_COUPON.SLOT)
        .gt(
            CouponRows.numberOf(last.couponId()),
            val(last.ownership().generation()),
            val(last.slot().number()));
  }

  @Override
  public void noteReleased(UserCouponId id) {
    database.transaction(dsl ->
        dsl.update(USER_COUPON)
            .set(USER_COUPON.SLOT_RELEASED, true)
            .where(USER_COUPON.TAG.eq(id.tagBytes()))
            .and(PENDING)
            .returning(USER_COUPON.COUPON_NUMBER, USER_COUPON.SLOT, USER_COUPON.GENERATION)
            .fetchOptional()
            .map(released -> EventRows.addReturnedToSale(dsl, released))
            .orElse(0));
  }
}
