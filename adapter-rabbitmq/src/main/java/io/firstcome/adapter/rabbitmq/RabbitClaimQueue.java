package io.firstcome.adapter.rabbitmq;

import io.firstcome.domain.port.ClaimQueue;
import org.springframework.amqp.AmqpIOException;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.core.RabbitTemplate;

/**
 * Asks the broker how many messages its queue of claims has ready. RabbitMQ leaves out what
 * recorders hold, as the port demands; Qpid counts it too, which makes a drain wait longer and
 * harms nothing.
 */
final class RabbitClaimQueue implements ClaimQueue {

  private final RabbitTemplate template;
  private final RabbitTopology topology;
  private final BoundedCalls calls;
  private final RabbitNames names;

  RabbitClaimQueue(
      ConnectionFactory connectionFactory,
      RabbitTopology topology,
      BoundedCalls calls,
      RabbitNames names) {
    this.template = new RabbitTemplate(connectionFactory);
    this.topology = topology;
    this.calls = calls;
    this.names = names;
  }

  @Override
  public long waiting() {
    return calls.call("asking for " + names.claims(), this::ask);
  }

  private long ask() {
    topology.repair();
    try {
      Integer ready =
          template.execute(
              channel -> channel.queueDeclarePassive(names.claims()).getMessageCount());
      if (ready == null) {
        throw new IllegalStateException("no message count of " + names.claims());
      }
      return ready;
    } catch (AmqpIOException e) {
      // Most likely the queue is missing, which the next call puts right.
      topology.suspect();
      throw e;
    }
  }
}
