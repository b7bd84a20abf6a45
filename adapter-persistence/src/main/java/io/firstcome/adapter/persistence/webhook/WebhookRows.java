package io.firstcome.adapter.persistence.webhook;

import static io.firstcome.adapter.persistence.generated.Tables.WEBHOOK_DELIVERY;
import static io.firstcome.adapter.persistence.generated.Tables.WEBHOOK_ENDPOINT;
import static io.firstcome.adapter.persistence.session.Columns.column;
import static io.firstcome.adapter.persistence.session.Columns.nullableColumn;
import static org.jooq.impl.DSL.condition;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.table;
import static org.jooq.impl.DSL.val;

import io.firstcome.adapter.persistence.generated.tables.records.WebhookDeliveryRecord;
import io.firstcome.adapter.persistence.generated.tables.records.WebhookEndpointRecord;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.usercoupon.UserCouponId;
import io.firstcome.domain.webhook.DeliveryId;
import io.firstcome.domain.webhook.WebhookDelivery;
import io.firstcome.domain.webhook.WebhookEndpoint;
import io.firstcome.domain.webhook.WebhookId;
import io.firstcome.domain.webhook.WebhookLanes;
import io.firstcome.domain.webhook.WebhookMessage;
import io.firstcome.domain.webhook.WebhookSecret;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.InsertOnDuplicateStep;
import org.jooq.Record;
import org.jooq.Table;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;

/** Maps webhooks and deliveries to rows and back. */
public final class WebhookRows {

  static final Field<Instant> NOW = field("now()", SQLDataType.INSTANT);

  static final Condition IS_ENABLED =
      WEBHOOK_ENDPOINT.STATE.eq(inline(WebhookEndpoint.State.ENABLED.name()));

  static final Condition IS_PENDING =
      WEBHOOK_DELIVERY.STATE.eq(inline(WebhookDelivery.State.PENDING.name()));

  private static final String ALIAS = "message";

  private static final Field<Integer> LANE = field(name(ALIAS, "lane"), SQLDataType.INTEGER);
  private static final Field<String> TYPE = field(name(ALIAS, "type"), SQLDataType.CLOB);
  private static final Field<String> COUPON_ID = field(name(ALIAS, "coupon_id"), SQLDataType.CLOB);
  private static final Field<Integer> EVENTS = field(name(ALIAS, "events"), SQLDataType.INTEGER);
  private static final Field<String> BODY = field(name(ALIAS, "body"), SQLDataType.CLOB);
  private static final Field<Long> PLACE = field(name(ALIAS, "place"), SQLDataType.BIGINT);

  private WebhookRows() {}

  /** Whether events are to be handed over to any webhook. */
  public static boolean isAnyEnabled(DSLContext dsl) {
    return dsl.fetchExists(WEBHOOK_ENDPOINT, IS_ENABLED);
  }

  /** Adds a delivery of each message to each enabled webhook. */
  public static void add(DSLContext dsl, List<WebhookMessage> messages) {
    add(dsl, messages, IS_ENABLED).execute();
  }

  /** A webhook is deleted before or after this, and never between: no delivery stays behind. */
  static InsertOnDuplicateStep<WebhookDeliveryRecord> add(
      DSLContext dsl, List<WebhookMessage> messages, Condition webhooks) {
    return dsl.insertInto(
            WEBHOOK_DELIVERY,
            WEBHOOK_DELIVERY.WEBHOOK_ID,
            WEBHOOK_DELIVERY.LANE,
            WEBHOOK_DELIVERY.TYPE,
            WEBHOOK_DELIVERY.COUPON_ID,
            WEBHOOK_DELIVERY.EVENTS,
            WEBHOOK_DELIVERY.BODY,
            WEBHOOK_DELIVERY.CREATED_AT,
            WEBHOOK_DELIVERY.STATE)
        .select(
            select(
                    WEBHOOK_ENDPOINT.WEBHOOK_ID,
                    LANE,
                    TYPE,
                    COUPON_ID,
                    EVENTS,
                    BODY,
                    NOW,
                    inline(WebhookDelivery.State.PENDING.name()))
                .from(WEBHOOK_ENDPOINT)
                .crossJoin(incoming(messages))
                .where(webhooks)
                .orderBy(PLACE)
                .forKeyShare()
                .of(WEBHOOK_ENDPOINT));
  }

  private static Table<Record> incoming(List<WebhookMessage> messages) {
    return table(
            "unnest({0}, {1}, {2}, {3}, {4}) WITH ORDINALITY",
            column(messages, SQLDataType.INTEGER, Integer[]::new, WebhookMessage::lane),
            column(messages, SQLDataType.CLOB, String[]::new, WebhookMessage::type),
            nullableColumn(
                messages, SQLDataType.CLOB, String[]::new, message -> text(message.couponId())),
            column(messages, SQLDataType.INTEGER, Integer[]::new, WebhookMessage::events),
            column(messages, SQLDataType.CLOB, String[]::new, WebhookMessage::body))
        .as(
            ALIAS,
            LANE.getName(),
            TYPE.getName(),
            COUPON_ID.getName(),
            EVENTS.getName(),
            BODY.getName(),
            PLACE.getName());
  }

  private static @Nullable String text(@Nullable CouponId id) {
    return id == null ? null : id.value();
  }

  /** Whether a delivery that is not made yet names the user with this user coupon. */
  public static boolean isNamed(DSLContext dsl, UserCouponId id, UserId user) {
    // As the format writes it. A user id has no character that JSON escapes but these two.
    var escaped = user.value().replace("\\", "\\\\").replace("\"", "\\\"");
    var member = "\"userId\":\"%s\"".formatted(escaped);
    return dsl.fetchExists(
        WEBHOOK_DELIVERY,
        WEBHOOK_DELIVERY
            .COUPON_ID
            .eq(id.couponId().value())
            .and(WEBHOOK_DELIVERY.LANE.eq(WebhookLanes.of(id)))
            .and(WEBHOOK_DELIVERY.BODY.isNotNull())
            .and(condition("position({0} in {1}) > 0", val(member), WEBHOOK_DELIVERY.BODY)));
  }

  static WebhookEndpoint endpoint(WebhookEndpointRecord row) {
    var previous = row.getPreviousSecret();
    return new WebhookEndpoint(
        new WebhookId(row.getWebhookId()),
        URI.create(row.getUrl()),
        WebhookEndpoint.State.valueOf(row.getState()),
        new WebhookSecret(row.getSecret()),
        previous == null
            ? null
            : new WebhookEndpoint.Previous(
                new WebhookSecret(previous), row.getPreviousSecretUntil()),
        row.getRevision(),
        row.getCreatedAt(),
        row.getChangedAt(),
        row.getFailingSince());
  }

  static WebhookDelivery delivery(WebhookDeliveryRecord row) {
    var couponId = row.getCouponId();
    var attemptedAt = row.getAttemptedAt();
    return new WebhookDelivery(
        new DeliveryId(row.getDeliveryId()),
        new WebhookId(row.getWebhookId()),
        row.getType(),
        couponId == null ? null : new CouponId(couponId),
        row.getEvents(),
        row.getCreatedAt(),
        WebhookDelivery.State.valueOf(row.getState()),
        row.getAttempts(),
        attemptedAt == null ? null : new WebhookDelivery.Attempt(attemptedAt, row.getResult()));
  }
}
