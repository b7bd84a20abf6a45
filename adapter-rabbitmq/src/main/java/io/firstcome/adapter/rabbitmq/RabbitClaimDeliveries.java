package io.firstcome.adapter.rabbitmq;

import io.firstcome.domain.observation.IssuanceObserver;
import io.firstcome.domain.observation.OperationObservation;
import io.firstcome.domain.port.ClaimDeliveries;
import io.firstcome.domain.port.ClaimQueue;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.listener.SimpleMessageListenerContainer;

/**
 * Closes the connections to the broker if it delivers nothing although messages wait; the listener
 * connects again by itself. RabbitMQ 3.10 sends nothing to the consumers of a quorum queue that was
 * deleted and declared again at once, and does not cancel them either.
 */
final class RabbitClaimDeliveries implements ClaimDeliveries {

  private static final long NONE_WAITED = -1;

  private final ConnectionFactory connectionFactory;
  private final SimpleMessageListenerContainer container;
  private final RabbitClaimListener listener;
  private final ClaimQueue queue;
  private final IssuanceObserver observer;

  /** The number of batches that had been received at the last call, if messages waited then. */
  private long receivedBefore = NONE_WAITED;

  RabbitClaimDeliveries(
      ConnectionFactory connectionFactory,
      SimpleMessageListenerContainer container,
      RabbitClaimListener listener,
      ClaimQueue queue,
      IssuanceObserver observer) {
    this.connectionFactory = connectionFactory;
    this.container = container;
    this.listener = listener;
    this.queue = queue;
    this.observer = observer;
  }

  @Override
  public void resumeIfStalled() {
    long before = receivedBefore;
    receivedBefore = NONE_WAITED;
    long received = listener.batchesReceived();
    if (!container.isRunning() || listener.isBusy() || queue.waiting() == 0) {
      return;
    }
    if (received != before) {
      receivedBefore = received;
      return;
    }
    observer.observe(
        new OperationObservation.RoundFailed(
            "receive claim messages",
            new IllegalStateException("messages wait and none is delivered: reconnecting")));
    connectionFactory.resetConnection();
  }
}
