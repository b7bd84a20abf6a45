package io.firstcome.adapter.persistence;

import static io.firstcome.adapter.persistence.generated.Tables.REDEMPTION;
import static io.firstcome.adapter.persistence.generated.Tables.USER_COUPON;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.least;
import static org.jooq.impl.DSL.val;

import io.firstcome.adapter.persistence.generated.tables.records.RedemptionRecord;
import io.firstcome.adapter.persistence.generated.tables.records.UserCouponRecord;
import io.firstcome.domain.coupon.Money;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.usercoupon.CouponCode;
import io.firstcome.domain.usercoupon.OrderId;
import io.firstcome.domain.usercoupon.Ownership;
import io.firstcome.domain.usercoupon.Redemption;
import io.firstcome.domain.usercoupon.UserCoupon;
import io.firstcome.domain.usercoupon.UserCouponId;
import io.firstcome.domain.usercoupon.UserCouponIdentity;
import io.firstcome.domain.usercoupon.UserCouponState;
import java.time.Instant;
import java.util.Currency;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Record;
import org.jooq.ResultQuery;
import org.jooq.SelectConditionStep;

/** Rows as user coupons, each with the redemption that it is taken for. */
final class UserCouponRows {

  private static final String ISSUED = UserCouponState.ISSUED.name();
  private static final String HELD = UserCouponState.HELD.name();

  /** Joins the redemption that a user coupon is taken for. */
  static final Condition IS_TAKEN_FOR =
      REDEMPTION
          .USER_COUPON_ID
          .eq(USER_COUPON.USER_COUPON_ID)
          .and(REDEMPTION.ORDER_ID.eq(USER_COUPON.ORDER_ID));

  private UserCouponRows() {}

  /**
   * Those recorded as issued or held whose validity is over, and the hold too, at that time and by
   * the database's clock: an expiry is final, so two clocks must agree on it. In the order of the
   * index {@code user_coupon_not_yet_ended}. Its condition is here word for word, as the planner
   * must see before it knows any parameter that the index has them all; and how many are wanted,
   * else it expects a tenth of them and starts other processes to help with so many.
   */
  static ResultQuery<Record> overdue(DSLContext dsl, Instant now, int max) {
    var earlier = least(DatabaseTime.NOW, val(now));
    return select(
            dsl,
            USER_COUPON
                .STATE
                .in(inline(ISSUED), inline(HELD))
                .and(USER_COUPON.EXPIRES_AT.le(earlier))
                .and(USER_COUPON.STATE.eq(inline(ISSUED)).or(REDEMPTION.HELD_UNTIL.le(earlier))))
        .orderBy(USER_COUPON.EXPIRES_AT, USER_COUPON.SLOT, USER_COUPON.USER_COUPON_ID)
        .limit(inline(max));
  }

  static SelectConditionStep<Record> select(DSLContext dsl, Condition condition) {
    return dsl.select(USER_COUPON.fields())
        .select(REDEMPTION.fields())
        .from(USER_COUPON)
        .leftJoin(REDEMPTION)
        .on(IS_TAKEN_FOR)
        .where(condition);
  }

  static UserCoupon fromRow(Record joined) {
    var row = joined.into(USER_COUPON);
    var redemption = joined.into(REDEMPTION);
    var ownership = ownership(row);
    int revision = row.getRevision();
    boolean slotWentBack = !row.getLive();
    return switch (UserCouponState.valueOf(row.getState())) {
      case ISSUED -> new UserCoupon.Issued(ownership, revision);
      case HELD ->
          new UserCoupon.Held(
              ownership, revision, redemption(redemption), redemption.getHeldUntil());
      case USED ->
          new UserCoupon.Used(
              ownership, revision, redemption(redemption), redemption.getChangedAt());
      case EXPIRED -> new UserCoupon.Expired(ownership, revision);
      case RETURNED -> new UserCoupon.Returned(ownership, revision, row.getEndedAt(), slotWentBack);
      case REVOKED ->
          new UserCoupon.Revoked(
              ownership, revision, row.getRevocationReason(), row.getEndedAt(), slotWentBack);
    };
  }

  private static Ownership ownership(UserCouponRecord row) {
    return new Ownership(
        new UserCouponIdentity(
            UserCouponId.parse(row.getUserCouponId()), new CouponCode(row.getCode())),
        new UserId(row.getUserId()),
        new Slot(row.getSlot()),
        row.getGeneration(),
        row.getIssuedAt(),
        row.getExpiresAt());
  }

  static Redemption redemption(RedemptionRecord row) {
    var currency = Currency.getInstance(row.getCurrency());
    return new Redemption(
        new OrderId(row.getOrderId()),
        new Money(row.getOrderMinorUnits(), currency),
        new Money(row.getDiscountMinorUnits(), currency));
  }
}
