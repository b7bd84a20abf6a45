package io.firstcome.adapter.rabbitmq;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import io.firstcome.domain.event.CouponEvent;
import io.firstcome.domain.port.EventPublisher;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeoutException;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.core.RabbitTemplate;

/**
 * Publishes events to the topic exchange, a message each, and returns when the broker has confirmed
 * all of them. That nobody listens is no failure.
 *
 * <p>There are as many events as claims, so they go straight to the channel: what a template does
 * for each message, to know later which of them failed, costs more than the rest, and nobody asks.
 */
final class RabbitEventPublisher implements EventPublisher {

  private static final int PERSISTENT = 2;

  private final RabbitTemplate template;
  private final RabbitTopology topology;
  private final BoundedCalls calls;
  private final Duration within;
  private final String exchange;
  private final CloudEventFormat format;

  /**
   * @param connectionFactory whose channels confirm what is published
   */
  RabbitEventPublisher(
      ConnectionFactory connectionFactory,
      RabbitTopology topology,
      BoundedCalls calls,
      RabbitLimits limits) {
    this.template = new RabbitTemplate(connectionFactory);
    // A connection of its own, so that a broker that blocks publishers goes on taking acks.
    template.setUsePublisherConnection(true);
    this.topology = topology;
    this.calls = calls;
    this.within = limits.callTime();
    var names = new RabbitNames(limits.prefix());
    this.exchange = names.events();
    this.format = new CloudEventFormat(names);
  }

  @Override
  public void publish(List<CouponEvent> events) {
    if (events.isEmpty()) {
      return;
    }
    calls.call(
        "publishing %d events".formatted(events.size()),
        () -> {
          topology.repair();
          try {
            return template.execute(channel -> send(channel, events));
          } catch (RuntimeException e) {
            // A missing exchange ends the channel.
            topology.suspect();
            throw e;
          }
        });
  }

  private boolean send(Channel channel, List<CouponEvent> events)
      throws IOException, InterruptedException, TimeoutException {
    for (var event : events) {
      channel.basicPublish(
          exchange, CloudEventFormat.routingKey(event), properties(event), format.encode(event));
    }
    channel.waitForConfirmsOrDie(within.toMillis());
    return true;
  }

  private static BasicProperties properties(CouponEvent event) {
    return new BasicProperties.Builder()
        .contentType(CloudEventFormat.CONTENT_TYPE)
        .deliveryMode(PERSISTENT)
        .messageId(event.id())
        .build();
  }
}
