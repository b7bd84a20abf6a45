package io.firstcome.adapter.persistence.webhook;

import static io.firstcome.adapter.persistence.generated.Tables.WEBHOOK_DELIVERY;
import static io.firstcome.adapter.persistence.generated.Tables.WEBHOOK_ENDPOINT;
import static io.firstcome.adapter.persistence.generated.Tables.WEBHOOK_LANE;
import static org.jooq.impl.DSL.any;
import static org.jooq.impl.DSL.array;
import static org.jooq.impl.DSL.exists;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.row;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.selectOne;
import static org.jooq.impl.DSL.val;

import io.firstcome.adapter.persistence.audit.AuditRows;
import io.firstcome.adapter.persistence.session.Database;
import io.firstcome.domain.audit.AuditEntry;
import io.firstcome.domain.port.WebhookDeliveries;
import io.firstcome.domain.usercoupon.Actor;
import io.firstcome.domain.webhook.DeliveryId;
import io.firstcome.domain.webhook.DeliveryOutcome;
import io.firstcome.domain.webhook.DueDelivery;
import io.firstcome.domain.webhook.TakenLane;
import io.firstcome.domain.webhook.WebhookDelivery;
import io.firstcome.domain.webhook.WebhookId;
import io.firstcome.domain.webhook.WebhookMessage;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;

/** {@link WebhookDeliveries} in PostgreSQL. */
public final class JooqWebhookDeliveries implements WebhookDeliveries {

  private static final Condition IS_FREE =
      WEBHOOK_LANE
          .DUE_AT
          .le(WebhookRows.NOW)
          .and(
              WEBHOOK_LANE.LEASED_UNTIL.isNull().or(WEBHOOK_LANE.LEASED_UNTIL.le(WebhookRows.NOW)));

  private static final Condition HAS_PENDING =
      exists(
          selectOne()
              .from(WEBHOOK_DELIVERY)
              .where(WEBHOOK_DELIVERY.WEBHOOK_ID.eq(WEBHOOK_LANE.WEBHOOK_ID))
              .and(WEBHOOK_DELIVERY.LANE.eq(WEBHOOK_LANE.LANE))
              .and(WebhookRows.IS_PENDING));

  private final Database database;

  public JooqWebhookDeliveries(Database database) {
    this.database = database;
  }

  @Override
  public List<WebhookId> due() {
    return database.read(dsl ->
        dsl.select(WEBHOOK_ENDPOINT.WEBHOOK_ID)
            .from(WEBHOOK_ENDPOINT)
            .where(WebhookRows.IS_ENABLED)
            .andExists(
                selectOne()
                    .from(WEBHOOK_LANE)
                    .where(WEBHOOK_LANE.WEBHOOK_ID.eq(WEBHOOK_ENDPOINT.WEBHOOK_ID))
                    .and(IS_FREE)
                    .and(HAS_PENDING))
            .orderBy(WEBHOOK_ENDPOINT.WEBHOOK_ID)
            .fetch(row -> new WebhookId(row.value1())));
  }

  @Override
  public List<TakenLane> take(WebhookId id, int max, Duration lease) {
    var lanes =
        select(WEBHOOK_LANE.LANE)
            .from(WEBHOOK_LANE)
            .where(WEBHOOK_LANE.WEBHOOK_ID.eq(id.number()))
            .and(IS_FREE)
            .and(HAS_PENDING)
            .orderBy(WEBHOOK_LANE.DUE_AT)
            .limit(max)
            .forUpdate()
            .skipLocked();
    return database.statement(dsl ->
        dsl.update(WEBHOOK_LANE)
            .set(WEBHOOK_LANE.LEASE, WEBHOOK_LANE.LEASE.plus(1))
            .set(WEBHOOK_LANE.LEASED_UNTIL, after(lease))
            .where(WEBHOOK_LANE.WEBHOOK_ID.eq(id.number()))
            .and(WEBHOOK_LANE.LANE.eq(any(array(lanes))))
            .andExists(
                selectOne()
                    .from(WEBHOOK_ENDPOINT)
                    .where(WEBHOOK_ENDPOINT.WEBHOOK_ID.eq(id.number()))
                    .and(WebhookRows.IS_ENABLED))
            .returning()
            .fetch(row -> new TakenLane(id, row.getLane(), row.getLease())));
  }

  @Override
  public Optional<DueDelivery> next(TakenLane lane, Duration lease) {
    return database.transaction(dsl -> {
      int renewed =
          dsl.update(WEBHOOK_LANE)
              .set(WEBHOOK_LANE.LEASED_UNTIL, after(lease))
              .where(isHeld(lane))
              .execute();
      if (renewed != 1) {
        return Optional.empty();
      }
      var next = oldest(dsl, lane);
      if (next.isEmpty()) {
        release(dsl, lane);
      }
      return next;
    });
  }

  private static Optional<DueDelivery> oldest(DSLContext dsl, TakenLane lane) {
    return dsl.select(
            WEBHOOK_DELIVERY.DELIVERY_ID,
            WEBHOOK_DELIVERY.CREATED_AT,
            WEBHOOK_DELIVERY.ATTEMPTS,
            WEBHOOK_DELIVERY.BODY)
        .select(WEBHOOK_ENDPOINT.fields())
        .from(WEBHOOK_DELIVERY)
        .join(WEBHOOK_ENDPOINT)
        .on(WEBHOOK_ENDPOINT.WEBHOOK_ID.eq(WEBHOOK_DELIVERY.WEBHOOK_ID))
        .where(WebhookRows.IS_ENABLED)
        .and(WEBHOOK_DELIVERY.WEBHOOK_ID.eq(lane.webhookId().number()))
        .and(WEBHOOK_DELIVERY.LANE.eq(lane.lane()))
        .and(WebhookRows.IS_PENDING)
        .orderBy(WEBHOOK_DELIVERY.DELIVERY_ID)
        .limit(1)
        .fetchOptional(row ->
            new DueDelivery(
                new DeliveryId(row.get(WEBHOOK_DELIVERY.DELIVERY_ID)),
                WebhookRows.endpoint(row.into(WEBHOOK_ENDPOINT)),
                row.get(WEBHOOK_DELIVERY.CREATED_AT),
                row.get(WEBHOOK_DELIVERY.ATTEMPTS),
                row.get(WEBHOOK_DELIVERY.BODY)));
  }

  @Override
  public boolean note(TakenLane lane, DeliveryId id, DeliveryOutcome outcome) {
    return database.transaction(dsl -> {
      if (!hold(dsl, lane, outcome)) {
        return false;
      }
      int noted =
          dsl.update(WEBHOOK_DELIVERY)
              .set(WEBHOOK_DELIVERY.STATE, state(outcome).name())
              .set(WEBHOOK_DELIVERY.BODY, body(outcome))
              .set(WEBHOOK_DELIVERY.ATTEMPTS, WEBHOOK_DELIVERY.ATTEMPTS.plus(1))
              .set(WEBHOOK_DELIVERY.ATTEMPTED_AT, WebhookRows.NOW)
              .set(WEBHOOK_DELIVERY.RESULT, outcome.result())
              .where(WEBHOOK_DELIVERY.DELIVERY_ID.eq(id.number()))
              .and(WebhookRows.IS_PENDING)
              .execute();
      noteHealth(dsl, lane.webhookId(), outcome);
      return noted == 1;
    });
  }

  /** Locks the lane and, after a failure, lets it rest. */
  private static boolean hold(DSLContext dsl, TakenLane lane, DeliveryOutcome outcome) {
    return switch (outcome) {
      case DeliveryOutcome.Failed(var _, var pause) ->
          dsl.update(WEBHOOK_LANE)
                  .setNull(WEBHOOK_LANE.LEASED_UNTIL)
                  .set(WEBHOOK_LANE.DUE_AT, after(pause))
                  .where(isHeld(lane))
                  .execute()
              == 1;
      case DeliveryOutcome.Delivered _, DeliveryOutcome.GivenUp _ ->
          dsl.selectOne()
              .from(WEBHOOK_LANE)
              .where(isHeld(lane))
              .forUpdate()
              .fetchOptional()
              .isPresent();
    };
  }

  private static WebhookDelivery.State state(DeliveryOutcome outcome) {
    return switch (outcome) {
      case DeliveryOutcome.Delivered _ -> WebhookDelivery.State.DELIVERED;
      case DeliveryOutcome.Failed _ -> WebhookDelivery.State.PENDING;
      case DeliveryOutcome.GivenUp _ -> WebhookDelivery.State.GIVEN_UP;
    };
  }

  private static Field<String> body(DeliveryOutcome outcome) {
    return outcome instanceof DeliveryOutcome.Delivered
        ? DSL.castNull(WEBHOOK_DELIVERY.BODY)
        : WEBHOOK_DELIVERY.BODY;
  }

  /** Writes only when a webhook begins to fail or succeeds again. */
  private static void noteHealth(DSLContext dsl, WebhookId id, DeliveryOutcome outcome) {
    boolean isDelivered = outcome instanceof DeliveryOutcome.Delivered;
    dsl.update(WEBHOOK_ENDPOINT)
        .set(
            WEBHOOK_ENDPOINT.FAILING_SINCE,
            isDelivered ? DSL.castNull(WEBHOOK_ENDPOINT.FAILING_SINCE) : WebhookRows.NOW)
        .where(WEBHOOK_ENDPOINT.WEBHOOK_ID.eq(id.number()))
        .and(
            isDelivered
                ? WEBHOOK_ENDPOINT.FAILING_SINCE.isNotNull()
                : WEBHOOK_ENDPOINT.FAILING_SINCE.isNull())
        .execute();
  }

  @Override
  public void release(TakenLane lane) {
    var _ = database.statement(dsl -> release(dsl, lane));
  }

  /** It is then the last one in the order in which lanes are taken. */
  private static int release(DSLContext dsl, TakenLane lane) {
    return dsl.update(WEBHOOK_LANE)
        .setNull(WEBHOOK_LANE.LEASED_UNTIL)
        .set(WEBHOOK_LANE.DUE_AT, WebhookRows.NOW)
        .where(isHeld(lane))
        .execute();
  }

  private static Condition isHeld(TakenLane lane) {
    return WEBHOOK_LANE
        .WEBHOOK_ID
        .eq(lane.webhookId().number())
        .and(WEBHOOK_LANE.LANE.eq(lane.lane()))
        .and(WEBHOOK_LANE.LEASE.eq(lane.lease()))
        .and(WEBHOOK_LANE.LEASED_UNTIL.isNotNull());
  }

  @Override
  public Optional<DeliveryId> add(WebhookId id, WebhookMessage message) {
    return database.statement(dsl ->
        WebhookRows.add(dsl, List.of(message), WEBHOOK_ENDPOINT.WEBHOOK_ID.eq(id.number()))
            .returning(WEBHOOK_DELIVERY.DELIVERY_ID)
            .fetchOptional(row -> new DeliveryId(row.getDeliveryId())));
  }

  @Override
  public int pending(WebhookId id, int max) {
    // Sorted like the index of those that wait, which the planner otherwise uses at times only.
    return database.read(dsl ->
        dsl.fetchCount(
            selectOne()
                .from(WEBHOOK_DELIVERY)
                .where(WEBHOOK_DELIVERY.WEBHOOK_ID.eq(id.number()))
                .and(WebhookRows.IS_PENDING)
                .orderBy(WEBHOOK_DELIVERY.LANE, WEBHOOK_DELIVERY.DELIVERY_ID)
                .limit(max)));
  }

  /**
   * Bounds the webhook from both sides and sorts by it, which selects the same rows as an equality.
   * With an equality the primary key has the order too, and the planner prefers it, as if the
   * deliveries of a webhook were spread evenly.
   */
  @Override
  public List<WebhookDelivery> page(
      WebhookId id, WebhookDelivery.@Nullable State state, @Nullable DeliveryId before, int max) {
    // Inlined, so that the index of that state can be used.
    var isWanted =
        state == null ? DSL.noCondition() : WEBHOOK_DELIVERY.STATE.eq(inline(state.name()));
    long end = before == null ? Long.MAX_VALUE : before.number();
    return database.read(dsl ->
        dsl.selectFrom(WEBHOOK_DELIVERY)
            .where(WEBHOOK_DELIVERY.WEBHOOK_ID.ge(id.number()))
            .and(
                row(WEBHOOK_DELIVERY.WEBHOOK_ID, WEBHOOK_DELIVERY.DELIVERY_ID).lt(id.number(), end))
            .and(isWanted)
            .orderBy(WEBHOOK_DELIVERY.WEBHOOK_ID.desc(), WEBHOOK_DELIVERY.DELIVERY_ID.desc())
            .limit(max)
            .fetch(WebhookRows::delivery));
  }

  @Override
  public boolean replay(WebhookId id, DeliveryId deliveryId, Actor actor, Instant at) {
    return database.transaction(dsl -> {
      var lane =
          dsl.update(WEBHOOK_DELIVERY)
              .set(WEBHOOK_DELIVERY.STATE, WebhookDelivery.State.PENDING.name())
              .set(WEBHOOK_DELIVERY.ATTEMPTS, 0)
              .where(WEBHOOK_DELIVERY.WEBHOOK_ID.eq(id.number()))
              .and(WEBHOOK_DELIVERY.DELIVERY_ID.eq(deliveryId.number()))
              .and(WEBHOOK_DELIVERY.STATE.eq(WebhookDelivery.State.GIVEN_UP.name()))
              .returning(WEBHOOK_DELIVERY.LANE)
              .fetchOptional(WEBHOOK_DELIVERY.LANE);
      if (lane.isEmpty()) {
        return false;
      }
      dsl.update(WEBHOOK_LANE)
          .set(WEBHOOK_LANE.DUE_AT, WebhookRows.NOW)
          .where(WEBHOOK_LANE.WEBHOOK_ID.eq(id.number()))
          .and(WEBHOOK_LANE.LANE.eq(lane.get()))
          .execute();
      AuditRows.add(dsl, List.of(AuditEntry.ofReplay(id, deliveryId, actor, at)));
      return true;
    });
  }

  /** Reads the oldest by number, as they are added in the order of their numbers. */
  @Override
  public int forget(Duration age, int max) {
    // The columns of the inner rows, under the name of the table.
    var oldest =
        select(WEBHOOK_DELIVERY.DELIVERY_ID, WEBHOOK_DELIVERY.CREATED_AT)
            .from(WEBHOOK_DELIVERY)
            .orderBy(WEBHOOK_DELIVERY.DELIVERY_ID)
            .limit(max)
            .asTable(WEBHOOK_DELIVERY);
    var ids =
        select(WEBHOOK_DELIVERY.DELIVERY_ID)
            .from(oldest)
            .where(WEBHOOK_DELIVERY.CREATED_AT.le(after(age.negated())));
    return database.statement(dsl ->
        dsl.deleteFrom(WEBHOOK_DELIVERY)
            .where(WEBHOOK_DELIVERY.DELIVERY_ID.eq(any(array(ids))))
            .execute());
  }

  @Override
  public int removeOf(WebhookId id, int max) {
    var ids =
        select(WEBHOOK_DELIVERY.DELIVERY_ID)
            .from(WEBHOOK_DELIVERY)
            .where(WEBHOOK_DELIVERY.WEBHOOK_ID.eq(id.number()))
            .orderBy(WEBHOOK_DELIVERY.DELIVERY_ID)
            .limit(max);
    return database.statement(dsl ->
        dsl.deleteFrom(WEBHOOK_DELIVERY)
            .where(WEBHOOK_DELIVERY.DELIVERY_ID.eq(any(array(ids))))
            .execute());
  }

  private static Field<Instant> after(Duration time) {
    return field(
        "now() + {0} * interval '1 millisecond'", SQLDataType.INSTANT, val(time.toMillis()));
  }
}
