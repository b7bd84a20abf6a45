package io.firstcome.adapter.persistence.event;

import static io.firstcome.adapter.persistence.generated.Tables.EVENT_OUTBOX;
import static org.jooq.impl.DSL.any;
import static org.jooq.impl.DSL.coalesce;
import static org.jooq.impl.DSL.condition;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.noCondition;
import static org.jooq.impl.DSL.not;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.selectOne;
import static org.jooq.impl.DSL.sum;
import static org.jooq.impl.DSL.val;

import io.firstcome.adapter.persistence.generated.tables.records.EventOutboxRecord;
import io.firstcome.adapter.persistence.session.Database;
import io.firstcome.adapter.persistence.webhook.WebhookRows;
import io.firstcome.domain.event.CouponEvent;
import io.firstcome.domain.port.EventOutbox;
import io.firstcome.domain.port.EventPublisher;
import io.firstcome.domain.usercoupon.UserCouponId;
import io.firstcome.domain.webhook.WebhookMessage;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Param;
import org.jooq.SQLDialect;
import org.jooq.Select;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;

/** {@link EventOutbox} in PostgreSQL. */
public final class JooqEventOutbox implements EventOutbox {

  /** The class of the advisory locks of events: "fcev" in ASCII. */
  private static final int LOCKS = 0x66636576;

  /** Of the instance that publishes. */
  private static final int PUBLISHING = 0;

  /** Of the instance that hands events over to webhooks. */
  private static final int HANDING_OVER = 1;

  private static final Condition IS_NOT_HANDED_OVER = not(condition(EVENT_OUTBOX.HANDED_OVER));

  private static final Field<Integer> UP_TO_HERE = field(name("up_to_here"), SQLDataType.INTEGER);

  /**
   * The oldest rows with at most so many events in total, but at least one row. The number occurs
   * twice. Rendered once, as this is read for every batch of events.
   */
  private static final String OLDEST = rendered(noCondition());

  /** Likewise of those that were not handed over. */
  private static final String OLDEST_NOT_HANDED_OVER = rendered(IS_NOT_HANDED_OVER);

  /** In milliseconds; see {@link IssuedRows} for the time of an ISSUED event. */
  private static final Field<Long> AGE =
      field(
          "(extract(epoch from clock_timestamp() - {0}) * 1000)::bigint",
          SQLDataType.BIGINT, coalesce(EVENT_OUTBOX.AT, IssuedRows.issuedAt()));

  private final Database database;

  public JooqEventOutbox(Database database) {
    this.database = database;
  }

  /**
   * Publishes within the transaction that deletes the events: if the instance crashes, its lock
   * ends with its session and the deletion is rolled back. The events are read after the lock is
   * taken, so those that the previous holder of the lock deleted are not read again.
   */
  @Override
  public int publishNext(int max, EventPublisher publisher) {
    return database.transaction(transaction -> {
      if (!lock(transaction, PUBLISHING)) {
        return 0;
      }
      var oldest = handedOver(transaction, oldest(transaction, OLDEST, max));
      var next = eachUserCouponOnce(withEvents(transaction, oldest));
      if (!next.isEmpty()) {
        publisher.publish(events(next));
        delete(transaction, next);
      }
      return count(next);
    });
  }

  /** The rows before the first one that is to be handed over to webhooks first. */
  private static List<EventOutboxRecord> handedOver(
      DSLContext transaction, List<EventOutboxRecord> oldest) {
    return oldest.stream().allMatch(EventOutboxRecord::getHandedOver)
            || !WebhookRows.isAnyEnabled(transaction)
        ? oldest
        : oldest.stream().takeWhile(EventOutboxRecord::getHandedOver).toList();
  }

  /** Its lock makes the numbers of deliveries ascend in the order in which they are committed. */
  @Override
  public int handOverNext(
      int max, boolean arePublished, Function<List<CouponEvent>, List<WebhookMessage>> messages) {
    return database.transaction(transaction -> {
      if (!WebhookRows.isAnyEnabled(transaction) || !lock(transaction, HANDING_OVER)) {
        return 0;
      }
      var oldest = oldest(transaction, OLDEST_NOT_HANDED_OVER, max);
      var next = eachUserCouponOnce(withEvents(transaction, oldest));
      if (!next.isEmpty()) {
        WebhookRows.add(transaction, messages.apply(events(next)));
        if (arePublished) {
          transaction
              .update(EVENT_OUTBOX)
              .set(EVENT_OUTBOX.HANDED_OVER, true)
              .where(isOneOf(next))
              .execute();
        } else {
          delete(transaction, next);
        }
      }
      return count(next);
    });
  }

  private static List<CouponEvent> events(List<Pending> rows) {
    return rows.stream().flatMap(pending -> pending.events().stream()).toList();
  }

  private static int count(List<Pending> rows) {
    return rows.stream().mapToInt(pending -> pending.row().getEvents()).sum();
  }

  @Override
  public Optional<Duration> oldestAge() {
    return database.read(dsl ->
        dsl.select(AGE)
            .from(EVENT_OUTBOX)
            .orderBy(EVENT_OUTBOX.EVENT_ID)
            .limit(1)
            .fetchOptional(AGE)
            .map(millis -> Duration.ofMillis(Math.max(0, millis))));
  }

  /** A row with its events. */
  private record Pending(EventOutboxRecord row, List<CouponEvent> events) {

    Stream<UserCouponId> userCoupons() {
      return events.stream()
          .flatMap(event ->
              switch (event) {
                case CouponEvent.OfUserCoupon ofOne -> Stream.of(ofOne.subject().userCouponId());
                case CouponEvent.OfCoupon _ -> Stream.empty();
              });
    }
  }

  private static boolean lock(DSLContext transaction, int which) {
    return transaction.fetchExists(
        selectOne()
            .where(condition("pg_try_advisory_xact_lock({0}, {1})", inline(LOCKS), inline(which))));
  }

  private static String rendered(Condition which) {
    return DSL.using(SQLDialect.POSTGRES).render(oldest(val(0), which));
  }

  private static List<EventOutboxRecord> oldest(DSLContext transaction, String query, int max) {
    return transaction
        .resultQuery(query, val(max), val(max))
        .coerce(EVENT_OUTBOX.fields())
        .fetchInto(EVENT_OUTBOX);
  }

  private static Select<?> oldest(Param<Integer> max, Condition which) {
    var upToHere =
        sum(EVENT_OUTBOX.EVENTS).over().orderBy(EVENT_OUTBOX.EVENT_ID).rowsUnboundedPreceding();
    var rows =
        select(EVENT_OUTBOX.fields())
            .select(upToHere.as(UP_TO_HERE))
            .from(EVENT_OUTBOX)
            .where(which)
            .orderBy(EVENT_OUTBOX.EVENT_ID)
            .limit(max)
            .asTable(EVENT_OUTBOX);
    return select(EVENT_OUTBOX.fields())
        .from(rows)
        .where(UP_TO_HERE.le(max))
        .or(UP_TO_HERE.eq(EVENT_OUTBOX.EVENTS))
        .orderBy(EVENT_OUTBOX.EVENT_ID);
  }

  private static List<Pending> withEvents(DSLContext transaction, List<EventOutboxRecord> rows) {
    var events = EventRows.fromRows(transaction, rows);
    return IntStream.range(0, rows.size())
        .mapToObj(i -> new Pending(rows.get(i), events.get(i)))
        .toList();
  }

  /** The rows before the first one that has another event of the same user coupon. */
  private static List<Pending> eachUserCouponOnce(List<Pending> oldest) {
    Set<UserCouponId> seen = new HashSet<>();
    return oldest.stream().takeWhile(pending -> pending.userCoupons().allMatch(seen::add)).toList();
  }

  /** Deletes by single ids: a row with a lower id than the last one may be committed meanwhile. */
  private static void delete(DSLContext transaction, List<Pending> published) {
    transaction.deleteFrom(EVENT_OUTBOX).where(isOneOf(published)).execute();
  }

  private static Condition isOneOf(List<Pending> rows) {
    var ids = rows.stream().map(pending -> pending.row().getEventId()).toArray(Long[]::new);
    return EVENT_OUTBOX.EVENT_ID.eq(any(val(ids, SQLDataType.BIGINT.getArrayDataType())));
  }
}
