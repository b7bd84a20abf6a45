package io.firstcome.adapter.persistence.event;

import static io.firstcome.adapter.persistence.generated.Tables.EVENT_OUTBOX;
import static io.firstcome.adapter.persistence.generated.Tables.USER_COUPON;
import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toList;
import static org.jooq.impl.DSL.any;
import static org.jooq.impl.DSL.arrayGet;
import static org.jooq.impl.DSL.coalesce;
import static org.jooq.impl.DSL.condition;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.lateral;
import static org.jooq.impl.DSL.not;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.unnest;
import static org.jooq.impl.DSL.val;

import io.firstcome.adapter.persistence.session.BinaryInstant;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.event.CouponEvent;
import io.firstcome.domain.event.CouponEvent.Subject;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.usercoupon.UserCouponId;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Param;
import org.jooq.Record;
import org.jooq.Record1;
import org.jooq.SQLDialect;
import org.jooq.Select;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;

/**
 * Reads the user coupons of event rows that name only the slots and the generation that they
 * issued. What the events say of a user coupon does not change after it was issued.
 */
final class IssuedRows {

  /** Of a user coupon when it is issued. */
  private static final int REVISION = 1;

  private static final Condition LIVE = condition(USER_COUPON.LIVE);

  private static final Field<Instant> EXPIRES_AT = BinaryInstant.of(USER_COUPON.EXPIRES_AT);
  private static final Field<Instant> ISSUED_AT = BinaryInstant.of(USER_COUPON.ISSUED_AT);

  private static final List<Field<?>> COLUMNS =
      List.of(
          EVENT_OUTBOX.EVENT_ID,
          EVENT_OUTBOX.COUPON_ID,
          USER_COUPON.TAG,
          USER_COUPON.USER_ID,
          USER_COUPON.SLOT,
          EXPIRES_AT,
          ISSUED_AT);

  /**
   * Live rows of user coupons and other rows have separate indexes. One statement reads both, so
   * that a row that is given back concurrently is not missed.
   */
  private static final Select<Record> QUERY =
      rows(ids(List.of()), LIVE).unionAll(rows(ids(List.of()), not(LIVE)));

  /** Rendered once, as every issued user coupon passes it. */
  private static final String TEXT = DSL.using(SQLDialect.POSTGRES).render(QUERY);

  private IssuedRows() {}

  /** The events of these rows of the outbox, by row. */
  static Map<Long, List<CouponEvent>> events(DSLContext dsl, List<Long> eventIds) {
    return eventIds.isEmpty()
        ? Map.of()
        : dsl.resultQuery(TEXT, ids(eventIds), ids(eventIds)).coerce(COLUMNS).stream()
            .collect(
                groupingBy(
                    row -> row.get(EVENT_OUTBOX.EVENT_ID), mapping(IssuedRows::event, toList())));
  }

  /** When the first user coupon of the event's row was issued. */
  static Field<Instant> issuedAt() {
    return coalesce(field(issuedAtIf(LIVE)), field(issuedAtIf(not(LIVE))));
  }

  private static Select<Record1<Instant>> issuedAtIf(Condition kind) {
    return select(USER_COUPON.ISSUED_AT)
        .from(USER_COUPON)
        .where(USER_COUPON.COUPON_NUMBER.eq(EVENT_OUTBOX.COUPON_NUMBER))
        .and(USER_COUPON.SLOT.eq(arrayGet(EVENT_OUTBOX.SLOTS, 1)))
        .and(USER_COUPON.GENERATION.eq(EVENT_OUTBOX.GENERATION))
        .and(kind);
  }

  private static Param<Long[]> ids(List<Long> eventIds) {
    return val(eventIds.toArray(Long[]::new), SQLDataType.BIGINT.getArrayDataType());
  }

  private static CouponEvent event(Record row) {
    return new CouponEvent.Issued(
        new Subject(
            UserCouponId.ofTag(
                new CouponId(row.get(EVENT_OUTBOX.COUPON_ID)), row.get(USER_COUPON.TAG)),
            REVISION,
            new UserId(row.get(USER_COUPON.USER_ID))),
        new Slot(row.get(USER_COUPON.SLOT)),
        row.get(EXPIRES_AT),
        row.get(ISSUED_AT));
  }

  private static Select<Record> rows(Param<Long[]> eventIds, Condition kind) {
    var slots = unnest(EVENT_OUTBOX.SLOTS).as("slots", "slot");
    var slot = requireNonNull(slots.field("slot", SQLDataType.INTEGER));
    return select(COLUMNS)
        .from(EVENT_OUTBOX)
        .crossJoin(lateral(slots))
        .join(USER_COUPON)
        .on(USER_COUPON.COUPON_NUMBER.eq(EVENT_OUTBOX.COUPON_NUMBER))
        .and(USER_COUPON.SLOT.eq(slot))
        .and(USER_COUPON.GENERATION.eq(EVENT_OUTBOX.GENERATION))
        .and(kind)
        .where(EVENT_OUTBOX.EVENT_ID.eq(any(eventIds)));
  }
}
