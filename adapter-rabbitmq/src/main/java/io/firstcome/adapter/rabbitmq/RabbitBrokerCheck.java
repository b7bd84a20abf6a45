package io.firstcome.adapter.rabbitmq;

import io.firstcome.domain.port.BrokerCheck;
import io.firstcome.domain.port.BrokerUnavailableException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageProperties;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.connection.CorrelationData;
import org.springframework.amqp.rabbit.core.RabbitTemplate;

/**
 * Checks the broker with a message to the exchange of claims that is bound to no queue: the broker
 * confirms it and drops it. While the broker has an alarm of memory or disk it reads nothing from
 * connections that publish, so the confirmation does not come.
 *
 * @see <a href="https://www.rabbitmq.com/docs/alarms">RabbitMQ, Memory and Disk Alarms</a>
 */
final class RabbitBrokerCheck implements BrokerCheck {

  /** No queue is bound to it. */
  private static final String ROUTING_KEY = "check";

  private final RabbitTemplate template;
  private final BoundedCalls calls;
  private final RabbitNames names;
  private final Duration within;

  RabbitBrokerCheck(ConnectionFactory connectionFactory, BoundedCalls calls, RabbitLimits limits) {
    this.template = new RabbitTemplate(connectionFactory);
    // The connection that publishes claims, since others are not blocked by an alarm.
    template.setUsePublisherConnection(true);
    this.calls = calls;
    this.names = new RabbitNames(limits.prefix());
    this.within = limits.callTime();
  }

  @Override
  public Queue check() {
    return calls.call("checking the broker", this::ask);
  }

  private Queue ask() throws InterruptedException, ExecutionException {
    var correlation = new CorrelationData();
    template.send(
        names.exchange(),
        ROUTING_KEY,
        new Message(new byte[0], new MessageProperties()),
        correlation);
    try {
      if (!correlation.getFuture().get(within.toNanos(), TimeUnit.NANOSECONDS).ack()) {
        throw new BrokerUnavailableException("the broker refused a message", null);
      }
    } catch (TimeoutException e) {
      throw new BrokerUnavailableException("the broker did not confirm a message", e);
    }
    var queue = template.execute(channel -> channel.queueDeclarePassive(names.claims()));
    if (queue == null) {
      throw new IllegalStateException("no state of " + names.claims());
    }
    return new Queue(queue.getMessageCount(), queue.getConsumerCount());
  }
}
