package io.firstcome.adapter.rabbitmq;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import io.firstcome.domain.event.CouponEvent;
import io.firstcome.domain.port.EventPublisher;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.concurrent.TimeoutException;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.core.RabbitTemplate;

/**
 * Publishes events to the topic exchange and returns when the broker has confirmed all of them. An
 * event that reaches no queue is not a failure.
 *
 * <p>There are as many events as claims, so events of one routing key share messages. The messages
 * are published directly on the channel: a template would track which of them failed, which is not
 * needed.
 */
final class RabbitEventPublisher implements EventPublisher {

  /** A message of this many events has about 40 KB. */
  static final int EVENTS_IN_A_MESSAGE_MAX = 100;

  private static final int PERSISTENT = 2;

  private static final BasicProperties PROPERTIES =
      new BasicProperties.Builder()
          .contentType(CloudEventFormat.CONTENT_TYPE)
          .deliveryMode(PERSISTENT)
          .build();

  private final RabbitTemplate template;
  private final RabbitTopology topology;

  /**
   * Separate, because their timeout is shorter. One call is made at a time; earlier ones may hang.
   */
  private final BoundedCalls calls;

  private final Duration within;
  private final RabbitNames names;
  private final CloudEventFormat format;

  /**
   * @param connectionFactory with publisher confirms
   */
  RabbitEventPublisher(
      ConnectionFactory connectionFactory, RabbitTopology topology, RabbitLimits limits) {
    this.template = new RabbitTemplate(connectionFactory);
    // A separate connection, so that a broker that blocks publishers still accepts acks.
    template.setUsePublisherConnection(true);
    this.topology = topology;
    this.calls = new BoundedCalls(limits.concurrentCalls(), limits.eventTime());
    this.within = limits.eventTime();
    this.names = new RabbitNames(limits.prefix());
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
            // A missing exchange closes the channel.
            topology.suspect();
            throw e;
          }
        });
  }

  private boolean send(Channel channel, List<CouponEvent> events)
      throws IOException, InterruptedException, TimeoutException {
    var byKey =
        events.stream()
            .collect(groupingBy(CloudEventFormat::routingKey, LinkedHashMap::new, toList()));
    for (var ofKey : byKey.entrySet()) {
      var left = ofKey.getValue();
      var exchange = exchange(left.getFirst());
      while (!left.isEmpty()) {
        int size = Math.min(left.size(), EVENTS_IN_A_MESSAGE_MAX);
        var body = format.encode(left.subList(0, size));
        channel.basicPublish(exchange, ofKey.getKey(), PROPERTIES, body);
        left = left.subList(size, left.size());
      }
    }
    channel.waitForConfirmsOrDie(within.toMillis());
    return true;
  }

  /** A routing key names the coupon, so all its events have one exchange. */
  private String exchange(CouponEvent event) {
    return event.couponId().isOfRehearsal() ? names.rehearsalEvents() : names.events();
  }
}
