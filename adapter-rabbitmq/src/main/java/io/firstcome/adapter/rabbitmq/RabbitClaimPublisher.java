package io.firstcome.adapter.rabbitmq;

import io.firstcome.domain.issuance.HandoffEntry;
import io.firstcome.domain.port.ClaimPublisher;
import java.util.List;

/** Publishes log entries to the queue of claims, a message each. */
final class RabbitClaimPublisher implements ClaimPublisher {

  private final ConfirmedPublisher publisher;
  private final RabbitNames names;
  private final ClaimMessageCodec codec = new ClaimMessageCodec();

  RabbitClaimPublisher(ConfirmedPublisher publisher, RabbitNames names) {
    this.publisher = publisher;
    this.names = names;
  }

  @Override
  public void publish(List<HandoffEntry> entries) {
    publisher.publish(
        entries.stream()
            .map(entry -> new ConfirmedPublisher.Outgoing(names.claims(), codec.encode(entry)))
            .toList());
  }
}
