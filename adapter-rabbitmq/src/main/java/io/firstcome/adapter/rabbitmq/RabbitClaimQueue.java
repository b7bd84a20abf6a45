package io.firstcome.adapter.rabbitmq;

import io.firstcome.domain.port.ClaimQueue;
import org.springframework.amqp.AmqpIOException;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.core.RabbitTemplate;

/**
 * Reads the number of ready messages in the broker's queue of claims. RabbitMQ does not count
 * messages that recorders hold, as the port requires; Qpid counts them too, which only makes a
 * drain wait longer.
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
    return calls.call("counting messages in " + names.claims(), this::ask);
  }

  private long ask() {
    topology.repair();
    try {
      Integer ready =
          template.execute(
              channel -> channel.queueDeclarePassive(names.claims()).getMessageCount());
      if (ready == null) {
        throw new IllegalStateException("no message count for " + names.claims());
      }
      return ready;
    } catch (AmqpIOException e) {
      // Most likely the queue is missing; a later call declares it again.
      topology.suspect();
      throw e;
    }
  }
}
