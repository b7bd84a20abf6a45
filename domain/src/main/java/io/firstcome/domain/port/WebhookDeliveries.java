package io.firstcome.domain.port;

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
import org.jspecify.annotations.Nullable;

/**
 * The deliveries to webhooks, which {@link EventOutbox#handOverNext} adds. A worker takes a lane
 * under a lease, so that several instances share the work, and another one continues when an
 * instance is lost. Times are by the clock of the database. Failures are {@link
 * DatabaseUnavailableException}s.
 */
public interface WebhookDeliveries {

  /** The enabled webhooks that have a lane which {@link #take} would give. */
  List<WebhookId> due();

  /**
   * Takes lanes of an enabled webhook that have a pending delivery, rest no more, and are not
   * taken; those that have been due for the longest time first.
   *
   * @param lease after that time another worker can take them
   */
  List<TakenLane> take(WebhookId id, int max, Duration lease);

  /**
   * The oldest pending delivery of the lane, and a new begin of the lease. Empty if the lease was
   * lost, the lane has none, or the webhook is not enabled any more; the lane is then not taken any
   * more.
   */
  Optional<DueDelivery> next(TakenLane lane, Duration lease);

  /**
   * Notes an attempt. After a failed one the lane rests and is not taken any more.
   *
   * @return false, without effect, if the lease was lost
   */
  boolean note(TakenLane lane, DeliveryId id, DeliveryOutcome outcome);

  /** Ends the lease, if it was not lost. */
  void release(TakenLane lane);

  /** Adds a delivery to one webhook; empty if there is no such webhook. */
  Optional<DeliveryId> add(WebhookId id, WebhookMessage message);

  /** How many deliveries of the webhook are pending, counted up to a number. */
  int pending(WebhookId id, int max);

  /**
   * A page of the log, newest first.
   *
   * @param state only those in this state, or null for all
   * @param before the last delivery of the previous page, or null
   */
  List<WebhookDelivery> page(
      WebhookId id, WebhookDelivery.@Nullable State state, @Nullable DeliveryId before, int max);

  /**
   * Makes a delivery that was given up pending again, as the next one of its lane, with an audit
   * entry.
   *
   * @return false, without effect, if there is no such delivery that was given up
   */
  boolean replay(WebhookId id, DeliveryId deliveryId, Actor actor, Instant at);

  /**
   * Removes the oldest deliveries, whatever their state is.
   *
   * @param age only those that were added so long ago
   * @return how many, at most {@code max}
   */
  int forget(Duration age, int max);

  /**
   * Removes deliveries of a webhook.
   *
   * @return how many, at most {@code max}
   */
  int removeOf(WebhookId id, int max);
}
