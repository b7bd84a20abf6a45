package io.firstcome.adapter.rabbitmq;

import io.firstcome.domain.handoff.HandoffEntry;
import io.firstcome.domain.port.ClaimPublisher;
import java.util.List;

/** Publishes log entries to the queue of claims, in as few messages as possible. */
final class RabbitClaimPublisher implements ClaimPublisher {

  private final ConfirmedPublisher publisher;
  private final RabbitNames names;
  private final int messageBytes;
  private final ClaimMessages format;

  RabbitClaimPublisher(
      ConfirmedPublisher publisher, ClaimMessages format, RabbitNames names, RabbitLimits limits) {
    this.publisher = publisher;
    this.format = format;
    this.names = names;
    this.messageBytes = limits.messageBytes();
  }

  @Override
  public void publish(List<HandoffEntry> entries) {
    publisher.publish(
        format.write(entries, messageBytes).stream()
            .map(message -> new ConfirmedPublisher.Outgoing(names.claims(), message))
            .toList());
  }
}
