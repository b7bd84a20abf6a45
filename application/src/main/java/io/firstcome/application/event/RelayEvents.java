package io.firstcome.application.event;

import io.firstcome.domain.observation.IssuanceObserver;
import io.firstcome.domain.observation.RecordingObservation;
import io.firstcome.domain.port.EventOutbox;
import io.firstcome.domain.port.EventPublisher;

/**
 * Publishes events from the database to the broker, in their order. Only one of several instances
 * publishes at a time; if it ends, another one continues.
 */
public final class RelayEvents {

  private final EventOutbox outbox;
  private final EventPublisher publisher;
  private final EventLimits limits;
  private final IssuanceObserver observer;

  public RelayEvents(
      EventOutbox outbox, EventPublisher publisher, EventLimits limits, IssuanceObserver observer) {
    this.outbox = outbox;
    this.publisher = publisher;
    this.limits = limits;
    this.observer = observer;
  }

  /**
   * Publishes the oldest events.
   *
   * @return how many were published
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if the database is not reachable,
   *     or did not confirm their deletion; they may be published again
   * @throws io.firstcome.domain.port.BrokerUnavailableException if not all of them were confirmed;
   *     they are published again
   */
  public int relayNext() {
    int events = outbox.publishNext(limits.batch(), publisher);
    if (events > 0) {
      observer.observe(new RecordingObservation.EventsPublished(events));
    }
    return events;
  }
}
