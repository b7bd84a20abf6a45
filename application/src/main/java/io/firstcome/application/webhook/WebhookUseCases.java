package io.firstcome.application.webhook;

import io.firstcome.domain.observation.IssuanceObserver;
import io.firstcome.domain.port.EventOutbox;
import java.time.InstantSource;
import java.util.concurrent.Executor;

/** The use cases of webhooks, which every deployment has. */
public final class WebhookUseCases {

  public final ManageWebhooks manageWebhooks;
  public final HandOverEvents handOverEvents;
  public final DeliverWebhooks deliverWebhooks;
  public final ForgetDeliveries forgetDeliveries;

  /**
   * @param arePublished whether the deployment has a broker, to which the events are published too
   * @param clock the database's
   * @param threads runs each lane that is taken, on a platform thread of its own
   */
  public WebhookUseCases(
      WebhookPorts ports,
      EventOutbox outbox,
      boolean arePublished,
      WebhookLimits limits,
      InstantSource clock,
      Executor threads,
      IssuanceObserver observer) {
    manageWebhooks = new ManageWebhooks(ports, limits, clock);
    handOverEvents = new HandOverEvents(outbox, ports.format(), arePublished, limits);
    deliverWebhooks = new DeliverWebhooks(ports, limits, clock, threads, observer);
    forgetDeliveries = new ForgetDeliveries(ports.deliveries(), limits);
  }
}
