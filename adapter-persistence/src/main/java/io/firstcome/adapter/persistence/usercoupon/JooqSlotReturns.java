package io.firstcome.adapter.persistence.usercoupon;

import static io.firstcome.adapter.persistence.generated.Tables.USER_COUPON;
import static org.jooq.impl.DSL.condition;
import static org.jooq.impl.DSL.not;

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
  private static final Condition PENDING =
      not(condition(USER_COUPON.LIVE)).and(not(condition(USER_COUPON.SLOT_RELEASED)));

  private final Database database;

  public JooqSlotReturns(Database database) {
    this.database = database;
  }

  @Override
  public List<UserCoupon> pending(@Nullable UserCouponId after, int max) {
    return database.read(dsl ->
        UserCouponRows.select(
                dsl,
                PENDING.and(USER_COUPON.USER_COUPON_ID.gt(after == null ? "" : after.toString())))
            .orderBy(USER_COUPON.USER_COUPON_ID)
            .limit(max)
            .fetch(UserCouponRows::fromRow));
  }

  @Override
  public boolean isPending(CouponId couponId) {
    return database.read(dsl -> dsl.fetchExists(USER_COUPON, PENDING.and(isOf(couponId))));
  }

  /** By the prefix of the ids, because the index is on ids: '/' is the character after '.'. */
  private static Condition isOf(CouponId couponId) {
    return USER_COUPON
        .USER_COUPON_ID
        .gt(couponId.value() + ".")
        .and(USER_COUPON.USER_COUPON_ID.lt(couponId.value() + "/"));
  }

  @Override
  public void noteReleased(UserCouponId id) {
    database.statement(dsl ->
        dsl.update(USER_COUPON)
            .set(USER_COUPON.SLOT_RELEASED, true)
            .where(USER_COUPON.USER_COUPON_ID.eq(id.toString()))
            .and(PENDING)
            .execute());
  }
}
