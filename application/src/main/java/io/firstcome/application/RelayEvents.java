package io.firstcome.application;

import io.firstcome.domain.port.EventOutbox;
import io.firstcome.domain.port.EventPublisher;
import io.firstcome.domain.port.IssuanceObserver;

/**
 * Carries events from the database to the broker, in their order. While one of several instances is
 * at it, the others have nothing to do; if it dies, another one goes on.
 */
public final class RelayEvents {

  private final EventOutbox outbox;
  private final EventPublisher publisher;
  private final ApplicationLimits limits;
  private final IssuanceObserver observer;

  public RelayEvents(
      EventOutbox outbox,
      EventPublisher publisher,
      ApplicationLimits limits,
      IssuanceObserver observer) {
    this.outbox = outbox;
    this.publisher = publisher;
    this.limits = limits;
    this.observer = observer;
  }

  /**
   * Publishes the oldest events.
   *
   * @return how many were published
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if the database could not be
   *     asked, or did not say that they are done with; they may be published again
   * @throws io.firstcome.domain.port.BrokerUnavailableException if not all of them were confirmed;
   *     they are published again
   */
  public int relayNext() {
    int events = outbox.publishNext(limits.eventBatch(), publisher);
    if (events > 0) {
      observer.eventsPublished(events);
    }
    return events;
  }
}
