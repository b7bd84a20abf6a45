package io.firstcome.bootstrap.webhook;

import io.firstcome.application.webhook.DeliverWebhooks;
import io.firstcome.application.webhook.ForgetDeliveries;
import io.firstcome.application.webhook.HandOverEvents;
import io.firstcome.bootstrap.operation.Loop;
import io.firstcome.bootstrap.operation.WorkInLoops;
import io.firstcome.domain.observation.IssuanceObserver;
import java.time.Duration;
import java.util.List;
import org.springframework.stereotype.Component;

/** The loops of webhooks: they hand events over, begin deliveries, and remove old ones. */
@Component
class WebhookWork extends WorkInLoops {

  /** How often new events are looked for: their delay, without that of the receiver. */
  private static final Duration EVENTS_EVERY = Duration.ofMillis(250);

  private static final Duration DELIVERIES_EVERY = Duration.ofMillis(250);

  /** While there is much to do: lanes end one by one, and each is to be followed soon. */
  private static final Duration NEXT_DELIVERIES_AFTER = Duration.ofMillis(20);

  private static final Duration FORGET_EVERY = Duration.ofMinutes(1);
  private static final Duration LONGEST_PAUSE_AFTER_FAILURES = Duration.ofSeconds(5);

  private final HandOverEvents handOverEvents;
  private final DeliverWebhooks deliverWebhooks;
  private final ForgetDeliveries forgetDeliveries;

  WebhookWork(
      HandOverEvents handOverEvents,
      DeliverWebhooks deliverWebhooks,
      ForgetDeliveries forgetDeliveries,
      IssuanceObserver observer) {
    super(observer);
    this.handOverEvents = handOverEvents;
    this.deliverWebhooks = deliverWebhooks;
    this.forgetDeliveries = forgetDeliveries;
  }

  @Override
  protected List<Loop> loops() {
    return List.of(
        loop("handing events over to webhooks", this::handOver, LONGEST_PAUSE_AFTER_FAILURES),
        loop("delivering to webhooks", this::deliver, LONGEST_PAUSE_AFTER_FAILURES),
        loop("removing old deliveries", this::forget, FORGET_EVERY));
  }

  private Duration handOver() {
    return handOverEvents.handOverNext() > 0 ? Duration.ZERO : EVENTS_EVERY;
  }

  private Duration deliver() {
    return deliverWebhooks.beginDue() ? NEXT_DELIVERIES_AFTER : DELIVERIES_EVERY;
  }

  private Duration forget() {
    return forgetDeliveries.forget() ? Duration.ZERO : FORGET_EVERY;
  }
}
