package io.firstcome.domain.port;

import io.firstcome.domain.event.CouponEvent;
import java.util.List;

/** Tells other systems what has happened. */
public interface EventPublisher {

  /**
   * Publishes the events, in any order, and returns only when the broker has confirmed every one.
   * Where nobody has asked for an event yet, it is told to nobody.
   *
   * @throws BrokerUnavailableException otherwise; some may be published
   */
  void publish(List<CouponEvent> events);
}
