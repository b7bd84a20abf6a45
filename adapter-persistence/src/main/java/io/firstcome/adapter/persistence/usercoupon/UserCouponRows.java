package io.firstcome.adapter.persistence.usercoupon;

import static io.firstcome.adapter.persistence.generated.Tables.REDEMPTION;
import static io.firstcome.adapter.persistence.generated.Tables.USER_COUPON;
import static org.jooq.impl.DSL.condition;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.least;
import static org.jooq.impl.DSL.not;
import static org.jooq.impl.DSL.val;

import io.firstcome.adapter.persistence.coupon.CouponRows;
import io.firstcome.adapter.persistence.generated.tables.records.RedemptionRecord;
import io.firstcome.adapter.persistence.generated.tables.records.UserCouponRecord;
import io.firstcome.adapter.persistence.session.DatabaseTime;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.Money;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.shop.OrderId;
import io.firstcome.domain.shop.ShopId;
import io.firstcome.domain.usercoupon.CouponCode;
import io.firstcome.domain.usercoupon.Ownership;
import io.firstcome.domain.usercoupon.RecordedRedemption;
import io.firstcome.domain.usercoupon.Redemption;
import io.firstcome.domain.usercoupon.RedemptionId;
import io.firstcome.domain.usercoupon.UserCoupon;
import io.firstcome.domain.usercoupon.UserCouponId;
import io.firstcome.domain.usercoupon.UserCouponIdentity;
import io.firstcome.domain.usercoupon.UserCouponState;
import java.time.Instant;
import java.util.Currency;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.ResultQuery;
import org.jooq.SelectConditionStep;

/** Reads rows as user coupons, each with its current redemption. */
public final class UserCouponRows {

  static final Condition LIVE = condition(USER_COUPON.LIVE);

  private static final String ISSUED = UserCouponState.ISSUED.name();
  private static final String HELD = UserCouponState.HELD.name();

  /** Joins the current redemption of a user coupon. */
  static final Condition IS_TAKEN_FOR =
      REDEMPTION.TAG.eq(USER_COUPON.TAG).and(REDEMPTION.ORDER_ID.eq(USER_COUPON.ORDER_ID));

  static final Field<String> COUPON_ID = CouponRows.idOf(USER_COUPON.COUPON_NUMBER);

  static final Field<Integer> TERMS_REVISION =
      CouponRows.termsRevisionOf(USER_COUPON.COUPON_NUMBER);

  private UserCouponRows() {}

  /**
   * User coupons recorded as issued or held whose validity is over, and the hold too, both at the
   * given time and by the database's clock: an expiry is final, so two clocks must agree on it.
   * They are sorted as in the index {@code user_coupon_unexpired}.
   *
   * <p>The condition of that index is repeated here literally, because the planner must see before
   * it knows any parameter that the index contains all these rows. The limit is inlined too:
   * otherwise the planner expects a tenth of the rows and starts parallel workers.
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
        .orderBy(USER_COUPON.EXPIRES_AT, USER_COUPON.SLOT)
        .limit(inline(max));
  }

  /** Whether the row is of the coupon, where another condition finds few rows. */
  static Condition hasCoupon(CouponId couponId) {
    return USER_COUPON.COUPON_NUMBER.eq(CouponRows.numberOf(couponId));
  }

  /**
   * All rows of the coupon. Live rows and other rows have separate indexes by coupon; the second
   * condition, which is always true, allows the planner to use both.
   */
  public static Condition isOf(CouponId couponId) {
    return hasCoupon(couponId).and(LIVE.or(not(LIVE)));
  }

  static SelectConditionStep<Record> select(DSLContext dsl, Condition condition) {
    return dsl.select(USER_COUPON.fields())
        .select(COUPON_ID, TERMS_REVISION)
        .select(REDEMPTION.fields())
        .from(USER_COUPON)
        .leftJoin(REDEMPTION)
        .on(IS_TAKEN_FOR)
        .where(condition);
  }

  static UserCoupon fromRow(Record joined) {
    var row = joined.into(USER_COUPON);
    var redemption = joined.into(REDEMPTION);
    var ownership = ownership(joined.get(COUPON_ID), joined.get(TERMS_REVISION), row);
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

  private static Ownership ownership(String couponId, int termsRevision, UserCouponRecord row) {
    return new Ownership(
        new UserCouponIdentity(
            UserCouponId.ofTag(new CouponId(couponId), row.getTag()),
            CouponCode.ofBytes(row.getCode())),
        new UserId(row.getUserId()),
        new Slot(row.getSlot()),
        row.getGeneration(),
        row.getIssuedAt(),
        row.getExpiresAt(),
        termsRevision);
  }

  private static Redemption redemption(RedemptionRecord row) {
    var currency = Currency.getInstance(row.getCurrency());
    return new Redemption(
        new OrderId(row.getOrderId()),
        new Money(row.getOrderMinorUnits(), currency),
        new Money(row.getDiscountMinorUnits(), currency),
        row.getShopId() == null ? null : new ShopId(row.getShopId()));
  }

  /** Selects rows that are not live; these have no current redemption. */
  static SelectConditionStep<Record> selectReturned(DSLContext dsl, Condition condition) {
    return dsl.select(USER_COUPON.fields())
        .select(COUPON_ID, TERMS_REVISION)
        .from(USER_COUPON)
        .where(not(LIVE))
        .and(condition);
  }

  /** Selects redemptions, whether or not they have ended. */
  static SelectConditionStep<Record> selectRedemptions(DSLContext dsl, Condition condition) {
    return dsl.select(COUPON_ID)
        .select(REDEMPTION.fields())
        .from(REDEMPTION)
        .join(USER_COUPON)
        .on(USER_COUPON.TAG.eq(REDEMPTION.TAG))
        .where(condition);
  }

  static RecordedRedemption recordedRedemption(Record joined) {
    var row = joined.into(REDEMPTION);
    var redemption = redemption(row);
    var userCouponId = UserCouponId.ofTag(new CouponId(joined.get(COUPON_ID)), row.getTag());
    return new RecordedRedemption(
        new RedemptionId(userCouponId, redemption.orderId()),
        redemption,
        RecordedRedemption.State.valueOf(row.getState()),
        row.getHeldUntil(),
        row.getChangedAt());
  }
}
