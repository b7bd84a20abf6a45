package io.firstcome.adapter.persistence;

import static io.firstcome.adapter.persistence.generated.Tables.COUPON;
import static io.firstcome.adapter.persistence.generated.Tables.EVENT_OUTBOX;
import static io.firstcome.adapter.persistence.generated.Tables.USER_COUPON;
import static java.util.Objects.requireNonNull;
import static org.jooq.impl.DSL.castNull;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.insertInto;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.select;

import io.firstcome.adapter.persistence.generated.tables.records.EventOutboxRecord;
import io.firstcome.adapter.persistence.generated.tables.records.UserCouponRecord;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.Money;
import io.firstcome.domain.event.CouponEvent;
import io.firstcome.domain.event.CouponEvent.Subject;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.usercoupon.OrderId;
import io.firstcome.domain.usercoupon.Redemption;
import io.firstcome.domain.usercoupon.UserCouponId;
import java.util.Currency;
import java.util.List;
import org.jooq.CommonTableExpression;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.TableField;

/** Events as rows of the outbox and rows as events. */
final class EventRows {

  /** What a row's event is. */
  private enum Type {
    ISSUED,
    USED,
    RESTORED,
    EXPIRED,
    RETURNED,
    REVOKED,
    SOLD_OUT
  }

  private EventRows() {}

  /**
   * The part of a statement that tells of rows which another part of it inserts: that they are
   * issued, and that a coupon's last piece is, if it is for the first time.
   *
   * <p>In the statement itself, as the recorder's batches are what all else waits for.
   */
  static CommonTableExpression<?> tellOf(CommonTableExpression<UserCouponRecord> inserted) {
    var couponId = of(inserted, USER_COUPON.COUPON_ID);
    var slot = of(inserted, USER_COUPON.SLOT);
    var issuedAt = of(inserted, USER_COUPON.ISSUED_AT);
    return name("told")
        .as(
            insertInto(
                    EVENT_OUTBOX,
                    EVENT_OUTBOX.TYPE,
                    EVENT_OUTBOX.AT,
                    EVENT_OUTBOX.COUPON_ID,
                    EVENT_OUTBOX.USER_COUPON_ID,
                    EVENT_OUTBOX.REVISION,
                    EVENT_OUTBOX.USER_ID,
                    EVENT_OUTBOX.SLOT,
                    EVENT_OUTBOX.EXPIRES_AT,
                    EVENT_OUTBOX.TOTAL_QUANTITY)
                .select(
                    select(
                            inline(Type.ISSUED.name()),
                            issuedAt,
                            couponId,
                            of(inserted, USER_COUPON.USER_COUPON_ID),
                            of(inserted, USER_COUPON.REVISION),
                            of(inserted, USER_COUPON.USER_ID),
                            slot,
                            of(inserted, USER_COUPON.EXPIRES_AT),
                            castNull(EVENT_OUTBOX.TOTAL_QUANTITY))
                        .from(inserted)
                        .unionAll(
                            select(
                                    inline(Type.SOLD_OUT.name()),
                                    issuedAt,
                                    couponId,
                                    castNull(EVENT_OUTBOX.USER_COUPON_ID),
                                    castNull(EVENT_OUTBOX.REVISION),
                                    castNull(EVENT_OUTBOX.USER_ID),
                                    castNull(EVENT_OUTBOX.SLOT),
                                    castNull(EVENT_OUTBOX.EXPIRES_AT),
                                    slot)
                                .from(inserted)
                                .join(COUPON)
                                .on(COUPON.COUPON_ID.eq(couponId))
                                .and(COUPON.TOTAL_QUANTITY.eq(slot))
                                .where(of(inserted, USER_COUPON.GENERATION).eq(inline(1)))))
                .returning(EVENT_OUTBOX.EVENT_ID));
  }

  private static <T> Field<T> of(
      CommonTableExpression<UserCouponRecord> inserted, TableField<UserCouponRecord, T> column) {
    return requireNonNull(inserted.field(column));
  }

  /** Adds them in their order. */
  static void add(DSLContext transaction, List<CouponEvent.OfUserCoupon> events) {
    transaction.batchInsert(events.stream().map(EventRows::toRow).toList()).execute();
  }

  private static EventOutboxRecord toRow(CouponEvent.OfUserCoupon event) {
    var row = new EventOutboxRecord();
    row.setAt(event.at());
    row.setCouponId(event.couponId().value());
    row.setUserCouponId(event.subject().userCouponId().toString());
    row.setRevision(event.subject().revision());
    row.setUserId(event.subject().userId().value());
    switch (event) {
      case CouponEvent.Issued issued -> {
        row.setType(Type.ISSUED.name());
        row.setSlot(issued.slot().number());
        row.setExpiresAt(issued.expiresAt());
      }
      case CouponEvent.Used used -> {
        var redemption = used.redemption();
        row.setType(Type.USED.name());
        row.setOrderId(redemption.orderId().value());
        row.setCurrency(redemption.order().currency().getCurrencyCode());
        row.setOrderMinorUnits(redemption.order().minorUnits());
        row.setDiscountMinorUnits(redemption.discount().minorUnits());
      }
      case CouponEvent.Restored restored -> {
        row.setType(Type.RESTORED.name());
        row.setOrderId(restored.orderId().value());
      }
      case CouponEvent.Expired _ -> row.setType(Type.EXPIRED.name());
      case CouponEvent.Returned returned -> {
        row.setType(Type.RETURNED.name());
        row.setSlotWentBack(returned.slotWentBack());
      }
      case CouponEvent.Revoked revoked -> {
        row.setType(Type.REVOKED.name());
        row.setReason(revoked.reason());
        row.setSlotWentBack(revoked.slotWentBack());
      }
    }
    return row;
  }

  static CouponEvent fromRow(EventOutboxRecord row) {
    var at = row.getAt();
    return switch (Type.valueOf(row.getType())) {
      case ISSUED ->
          new CouponEvent.Issued(subject(row), new Slot(row.getSlot()), row.getExpiresAt(), at);
      case USED -> new CouponEvent.Used(subject(row), redemption(row), at);
      case RESTORED -> new CouponEvent.Restored(subject(row), new OrderId(row.getOrderId()), at);
      case EXPIRED -> new CouponEvent.Expired(subject(row), at);
      case RETURNED -> new CouponEvent.Returned(subject(row), row.getSlotWentBack(), at);
      case REVOKED ->
          new CouponEvent.Revoked(subject(row), row.getReason(), row.getSlotWentBack(), at);
      case SOLD_OUT ->
          new CouponEvent.SoldOut(new CouponId(row.getCouponId()), row.getTotalQuantity(), at);
    };
  }

  private static Subject subject(EventOutboxRecord row) {
    return new Subject(
        UserCouponId.parse(row.getUserCouponId()), row.getRevision(), new UserId(row.getUserId()));
  }

  private static Redemption redemption(EventOutboxRecord row) {
    var currency = Currency.getInstance(row.getCurrency());
    return new Redemption(
        new OrderId(row.getOrderId()),
        new Money(row.getOrderMinorUnits(), currency),
        new Money(row.getDiscountMinorUnits(), currency));
  }
}
