package io.firstcome.adapter.persistence.event;

import static io.firstcome.adapter.persistence.generated.Tables.COUPON;
import static io.firstcome.adapter.persistence.generated.Tables.EVENT_OUTBOX;
import static io.firstcome.adapter.persistence.generated.Tables.USER_COUPON;
import static java.util.Objects.requireNonNull;
import static org.jooq.impl.DSL.arrayAgg;
import static org.jooq.impl.DSL.castNull;
import static org.jooq.impl.DSL.condition;
import static org.jooq.impl.DSL.count;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.insertInto;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.not;
import static org.jooq.impl.DSL.nullif;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.selectCount;
import static org.jooq.impl.DSL.unnest;
import static org.jooq.impl.DSL.val;
import static org.jooq.impl.DSL.when;

import io.firstcome.adapter.persistence.coupon.CouponRows;
import io.firstcome.adapter.persistence.generated.tables.records.EventOutboxRecord;
import io.firstcome.adapter.persistence.generated.tables.records.UserCouponRecord;
import io.firstcome.adapter.persistence.session.DatabaseTime;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.Money;
import io.firstcome.domain.event.CouponEvent;
import io.firstcome.domain.event.CouponEvent.Subject;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.shop.OrderId;
import io.firstcome.domain.usercoupon.Redemption;
import io.firstcome.domain.usercoupon.UserCouponId;
import java.util.Currency;
import java.util.List;
import java.util.stream.Stream;
import org.jooq.CommonTableExpression;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Table;
import org.jooq.TableField;
import org.jooq.impl.SQLDataType;

/** Maps events to rows of the outbox and back. */
public final class EventRows {

  /** The type of the events of a row. */
  private enum Type {
    ISSUED,
    HELD,
    RELEASED,
    USED,
    RESTORED,
    EXPIRED,
    RETURNED,
    REVOKED,
    SHARE_ISSUED,
    SOLD_OUT,
    RETURNED_TO_SALE
  }

  private static final Field<Integer> SHARE = field(name("share", "percent"), SQLDataType.INTEGER);

  /** The shares of a coupon's slots that have an event, up to all of them. */
  private static final Table<?> SHARES =
      unnest(
              inline(
                  Stream.concat(CouponEvent.ShareIssued.PERCENTS.stream(), Stream.of(100))
                      .toArray(Integer[]::new)))
          .as("share", "percent");

  /** Rounded up: {@link CouponEvent#ofFirstIssue} says the same. */
  private static final Field<Integer> LAST_SLOT_OF_SHARE =
      field("(({0}::bigint * {1} + 99) / 100)", SQLDataType.INTEGER, COUPON.TOTAL_QUANTITY, SHARE);

  private EventRows() {}

  /**
   * A CTE that adds the events of rows that another CTE of the same statement inserts: ISSUED, in
   * one row for each coupon and generation, and SHARE_ISSUED and SOLD_OUT when certain slots of a
   * coupon are issued for the first time.
   *
   * <p>It is part of the statement, so that recording, which all other work waits for, needs no
   * further round trip. It names the slots only: {@link IssuedRows} reads the rest from the rows.
   */
  public static CommonTableExpression<?> eventsOf(
      CommonTableExpression<UserCouponRecord> inserted) {
    var slot = of(inserted, USER_COUPON.SLOT);
    var generation = of(inserted, USER_COUPON.GENERATION);
    var couponNumber = of(inserted, USER_COUPON.COUPON_NUMBER);
    var issued =
        select(
                inline(Type.ISSUED.name()),
                CouponRows.idOf(couponNumber),
                count(),
                couponNumber,
                arrayAgg(slot),
                generation,
                castNull(EVENT_OUTBOX.AT),
                castNull(EVENT_OUTBOX.TOTAL_QUANTITY),
                castNull(EVENT_OUTBOX.PERCENT))
            .from(inserted)
            .groupBy(couponNumber, generation);
    var ofCoupon =
        select(
                when(SHARE.lt(inline(100)), inline(Type.SHARE_ISSUED.name()))
                    .otherwise(inline(Type.SOLD_OUT.name())),
                COUPON.COUPON_ID,
                inline(1),
                castNull(EVENT_OUTBOX.COUPON_NUMBER),
                castNull(EVENT_OUTBOX.SLOTS),
                castNull(EVENT_OUTBOX.GENERATION),
                of(inserted, USER_COUPON.ISSUED_AT),
                COUPON.TOTAL_QUANTITY,
                nullif(SHARE, inline(100)))
            .from(inserted)
            .join(COUPON)
            .on(COUPON.COUPON_NUMBER.eq(couponNumber))
            .join(SHARES)
            .on(slot.eq(LAST_SLOT_OF_SHARE))
            .and(SHARE.eq(inline(100)).or(slot.lt(COUPON.TOTAL_QUANTITY)))
            .where(generation.eq(inline(1)));
    return name("events_of_rows")
        .as(
            insertInto(
                    EVENT_OUTBOX,
                    EVENT_OUTBOX.TYPE,
                    EVENT_OUTBOX.COUPON_ID,
                    EVENT_OUTBOX.EVENTS,
                    EVENT_OUTBOX.COUPON_NUMBER,
                    EVENT_OUTBOX.SLOTS,
                    EVENT_OUTBOX.GENERATION,
                    EVENT_OUTBOX.AT,
                    EVENT_OUTBOX.TOTAL_QUANTITY,
                    EVENT_OUTBOX.PERCENT)
                .select(issued.unionAll(ofCoupon))
                .returning(EVENT_OUTBOX.EVENT_ID));
  }

  private static <T> Field<T> of(
      CommonTableExpression<UserCouponRecord> inserted, TableField<UserCouponRecord, T> column) {
    return requireNonNull(inserted.field(column));
  }

  /** Adds the events in their order. */
  public static void add(DSLContext transaction, List<CouponEvent.OfStep> events) {
    transaction.batchInsert(events.stream().map(EventRows::toRow).toList()).execute();
  }

  /**
   * Adds RETURNED_TO_SALE for a slot that is released now, if every slot of its coupon was issued
   * at least once and the coupon can be claimed.
   *
   * @param released number of the coupon, slot and generation of the row that had it
   * @return the number of events added
   */
  public static int addReturnedToSale(DSLContext transaction, UserCouponRecord released) {
    return transaction
        .insertInto(
            EVENT_OUTBOX,
            EVENT_OUTBOX.TYPE,
            EVENT_OUTBOX.COUPON_ID,
            EVENT_OUTBOX.COUPON_NUMBER,
            EVENT_OUTBOX.SLOTS,
            EVENT_OUTBOX.GENERATION,
            EVENT_OUTBOX.AT)
        .select(
            select(
                    inline(Type.RETURNED_TO_SALE.name()),
                    COUPON.COUPON_ID,
                    COUPON.COUPON_NUMBER,
                    val(new Integer[] {released.getSlot()}, EVENT_OUTBOX.SLOTS),
                    val(released.getGeneration()),
                    DatabaseTime.NOW)
                .from(COUPON)
                .where(COUPON.COUPON_NUMBER.eq(released.getCouponNumber()))
                .and(CouponRows.isOpenAt(DatabaseTime.NOW))
                .and(COUPON.TOTAL_QUANTITY.ge(released.getSlot()))
                .and(rowsOfLastSlot(true).plus(rowsOfLastSlot(false)).gt(0)))
        .execute();
  }

  /**
   * Counted and not tested for existence, which the planner would convert to a join that reads all
   * rows of the coupon. Live and other rows have separate indexes by slot.
   */
  private static Field<Integer> rowsOfLastSlot(boolean live) {
    var last = USER_COUPON.as("last");
    return field(
        selectCount()
            .from(last)
            .where(last.COUPON_NUMBER.eq(COUPON.COUPON_NUMBER))
            .and(last.SLOT.eq(COUPON.TOTAL_QUANTITY))
            .and(live ? condition(last.LIVE) : not(last.LIVE)));
  }

  private static EventOutboxRecord toRow(CouponEvent.OfStep event) {
    var row = new EventOutboxRecord();
    row.setAt(event.at());
    row.setCouponId(event.couponId().value());
    row.setUserCouponId(event.subject().userCouponId().toString());
    row.setRevision(event.subject().revision());
    row.setUserId(event.subject().userId().value());
    switch (event) {
      case CouponEvent.Held held -> {
        row.setType(Type.HELD.name());
        row.setHeldUntil(held.until());
        putRedemption(held.redemption(), row);
      }
      case CouponEvent.Released released -> {
        row.setType(Type.RELEASED.name());
        row.setOrderId(released.orderId().value());
      }
      case CouponEvent.Used used -> {
        row.setType(Type.USED.name());
        putRedemption(used.redemption(), row);
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

  private static void putRedemption(Redemption redemption, EventOutboxRecord row) {
    row.setOrderId(redemption.orderId().value());
    row.setCurrency(redemption.order().currency().getCurrencyCode());
    row.setOrderMinorUnits(redemption.order().minorUnits());
    row.setDiscountMinorUnits(redemption.discount().minorUnits());
  }

  /** The events of the rows, for each row a list. */
  static List<List<CouponEvent>> fromRows(DSLContext dsl, List<EventOutboxRecord> rows) {
    var issued =
        IssuedRows.events(
            dsl,
            rows.stream()
                .filter(EventRows::isOfIssued)
                .map(EventOutboxRecord::getEventId)
                .toList());
    return rows.stream()
        .map(row ->
            isOfIssued(row)
                ? issued.getOrDefault(row.getEventId(), List.of())
                : List.of(fromRow(row)))
        .toList();
  }

  private static boolean isOfIssued(EventOutboxRecord row) {
    return Type.valueOf(row.getType()) == Type.ISSUED;
  }

  private static CouponEvent fromRow(EventOutboxRecord row) {
    var at = row.getAt();
    return switch (Type.valueOf(row.getType())) {
      case ISSUED -> throw new IllegalStateException("the row has several events: " + row);
      case HELD -> new CouponEvent.Held(subject(row), redemption(row), row.getHeldUntil(), at);
      case RELEASED -> new CouponEvent.Released(subject(row), new OrderId(row.getOrderId()), at);
      case USED -> new CouponEvent.Used(subject(row), redemption(row), at);
      case RESTORED -> new CouponEvent.Restored(subject(row), new OrderId(row.getOrderId()), at);
      case EXPIRED -> new CouponEvent.Expired(subject(row), at);
      case RETURNED -> new CouponEvent.Returned(subject(row), row.getSlotWentBack(), at);
      case REVOKED ->
          new CouponEvent.Revoked(subject(row), row.getReason(), row.getSlotWentBack(), at);
      case SHARE_ISSUED ->
          new CouponEvent.ShareIssued(
              new CouponId(row.getCouponId()), row.getPercent(), row.getTotalQuantity(), at);
      case SOLD_OUT ->
          new CouponEvent.SoldOut(new CouponId(row.getCouponId()), row.getTotalQuantity(), at);
      case RETURNED_TO_SALE ->
          new CouponEvent.ReturnedToSale(
              new CouponId(row.getCouponId()),
              new Slot(row.getSlots()[0]),
              row.getGeneration(),
              at);
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
