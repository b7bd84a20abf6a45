package io.firstcome.adapter.rabbitmq;

import io.firstcome.domain.event.CouponEvent;
import io.firstcome.domain.port.EventPublisher;
import java.util.List;

/** Publishes events to the topic exchange, a message each. */
final class RabbitEventPublisher implements EventPublisher {

  private final ConfirmedPublisher publisher;
  private final CloudEventFormat format;

  RabbitEventPublisher(ConfirmedPublisher publisher, RabbitNames names) {
    this.publisher = publisher;
    this.format = new CloudEventFormat(names);
  }

  @Override
  public void publish(List<CouponEvent> events) {
    publisher.publish(events.stream().map(this::outgoing).toList());
  }

  private ConfirmedPublisher.Outgoing outgoing(CouponEvent event) {
    return new ConfirmedPublisher.Outgoing(
        CloudEventFormat.routingKey(event), format.encode(event));
  }
}
