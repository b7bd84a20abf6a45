package io.firstcome.adapter.persistence.plan;

import static io.firstcome.adapter.persistence.plan.PlanCase.reading;
import static io.firstcome.adapter.persistence.plan.PlanCase.writing;

import io.firstcome.contracts.CouponFixtures;
import io.firstcome.contracts.database.DatabasePorts;
import io.firstcome.domain.webhook.DeliveryId;
import io.firstcome.domain.webhook.WebhookDelivery;
import io.firstcome.domain.webhook.WebhookEndpoint;
import io.firstcome.domain.webhook.WebhookId;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** The statements on deliveries to webhooks, whose number does not matter to them. */
final class WebhookPlans {

  /** The webhook with nearly all deliveries. */
  private static final WebhookId BUSY = new WebhookId(1);

  private static final Duration LEASE = Duration.ofMinutes(1);
  private static final int PAGE = 100;
  private static final int REMOVED = 1_000;

  /** The batch size of the hand-over. */
  private static final int BATCH = 500;

  List<PlanCase> all() {
    return Stream.of(deliveries(), handOver()).flatMap(List::stream).toList();
  }

  private static List<PlanCase> deliveries() {
    Consumer<DatabasePorts> working =
        db -> {
          enabled(db);
          db.deliveries().take(BUSY, 1, LEASE).forEach(lane -> db.deliveries().next(lane, LEASE));
        };
    var deep = new DeliveryId(REMOVED);
    return List.of(
        writing(
                "the next delivery of a lane",
                "select \"webhook_delivery\".\"delivery_id\", \"webhook_delivery\".\"created_at\"",
                working)
            .by("webhook_delivery_pending", "webhook_endpoint_pkey")
            .gives(1)
            .readsAtMost(4),
        reading("deliveries, first page", db -> db.deliveries().page(BUSY, null, null, PAGE))
            .by("webhook_delivery_by_webhook")
            .gives(PAGE)
            .readsAtMost(2 * PAGE),
        reading("deliveries, deep page", db -> db.deliveries().page(BUSY, null, deep, PAGE))
            .by("webhook_delivery_by_webhook")
            .gives(PAGE)
            .readsAtMost(2 * PAGE),
        reading(
                "deliveries that were given up",
                db -> db.deliveries().page(BUSY, WebhookDelivery.State.GIVEN_UP, null, PAGE / 10))
            .by("webhook_delivery_given_up")
            .gives(PAGE / 10)
            .readsAtMost(PAGE / 5),
        reading("deliveries that wait", db -> db.deliveries().pending(BUSY, PAGE))
            .by("webhook_delivery_pending")
            .gives(1)
            .readsAtMost(2 * PAGE),
        writing(
                "old deliveries are removed",
                "delete from \"webhook_delivery\"",
                db -> db.deliveries().forget(LEASE, REMOVED))
            .by("webhook_delivery_pkey")
            .readsAtMost(4 * REMOVED),
        writing(
                "deliveries of a webhook are removed",
                "delete from \"webhook_delivery\"",
                db -> db.deliveries().removeOf(BUSY, REMOVED))
            .by("webhook_delivery_by_webhook", "webhook_delivery_pkey")
            .readsAtMost(4 * REMOVED));
  }

  /**
   * The cost of a batch depends on its size and not on the number of events that are not published.
   * The marks of the cases that are rolled back stay as dead rows, so these are the last ones.
   */
  private static List<PlanCase> handOver() {
    Consumer<DatabasePorts> handingOver =
        db -> {
          enabled(db);
          db.events().handOverNext(BATCH, true, _ -> List.of());
        };
    return List.of(
        writing(
                "the oldest events for webhooks",
                "select \"event_outbox\".\"event_id\", \"event_outbox\".\"type\"",
                handingOver)
            .by("event_outbox_not_handed_over")
            .gives(BATCH / ManyUserCoupons.EVENTS_PER_ROW)
            .readsAtMost(BATCH + 1),
        writing("500 events are handed over", "update \"event_outbox\"", handingOver)
            .by("event_outbox_pkey")
            .readsAtMost(BATCH));
  }

  /** Enables the busy webhook. */
  private static void enabled(DatabasePorts db) {
    var webhook = db.webhooks().find(BUSY).orElseThrow();
    var after = webhook.withState(WebhookEndpoint.State.ENABLED, ManyUserCoupons.TODAY);
    db.webhooks().change(webhook, after, CouponFixtures.OPERATOR);
  }
}
