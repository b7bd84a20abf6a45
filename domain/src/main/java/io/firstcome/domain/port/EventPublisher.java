package io.firstcome.domain.port;

import io.firstcome.domain.event.CouponEvent;
import java.util.List;

/** Publishes events to other systems. */
public interface EventPublisher {

  /**
   * Publishes the events, in any order, and returns only when the broker has confirmed every one.
   * An event without a subscriber is dropped.
   *
   * @throws BrokerUnavailableException otherwise; some may be published
   */
  void publish(List<CouponEvent> events);
}
