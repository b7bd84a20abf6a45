package io.firstcome.systemtests.kit;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.firstcome.devservices.AmqpServer;
import java.io.IOException;
import java.net.URISyntaxException;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Another system that listens to events: the example of {@code docs/events.md}. */
public final class EventListener implements AutoCloseable {

  // docs/events.md: begin
  private static final String EXCHANGE = "firstcome.events";

  private final Connection connection;

  /** By subject: the newest revision seen. A real listener keeps it with what it makes of it. */
  private final Map<String, Integer> newest = new HashMap<>();

  private EventListener(Connection connection, String queue, String pattern) throws IOException {
    this.connection = connection;
    Channel channel = connection.createChannel();
    channel.exchangeDeclare(EXCHANGE, "topic", true);
    // Two consumers at a time would take events of one user coupon in any order.
    channel.queueDeclare(
        queue,
        true,
        false,
        false,
        Map.of("x-queue-type", "quorum", "x-single-active-consumer", true));
    channel.queueBind(queue, EXCHANGE, pattern);
    channel.basicQos(100);
    channel.basicConsume(
        queue,
        false,
        (tag, delivery) -> {
          for (var event : JsonMapper.shared().readTree(delivery.getBody())) {
            take(event);
          }
          // Only now: what is not acknowledged comes again.
          channel.basicAck(delivery.getEnvelope().getDeliveryTag(), false);
        },
        tag -> {});
  }

  private synchronized void take(JsonNode event) {
    var data = event.path("data");
    // A coupon that is sold out has no revision; its pieces grow in the same way.
    int revision = data.path("revision").asInt(data.path("totalQuantity").asInt(0));
    var subject = event.path("subject").asString();
    if (newest.getOrDefault(subject, 0) < revision) {
      newest.put(subject, revision);
      happened(event);
    }
  }

  // docs/events.md: end

  private final List<JsonNode> story = new ArrayList<>();

  private void happened(JsonNode event) {
    story.add(event);
  }

  /** Listens with a queue of its own, which stays when the listener goes. */
  public static EventListener to(AmqpServer amqp, String queue, String pattern) {
    try {
      ConnectionFactory factory = new ConnectionFactory();
      factory.setUri(amqp.uri());
      return new EventListener(factory.newConnection(), queue, pattern);
    } catch (IOException | TimeoutException | URISyntaxException | GeneralSecurityException e) {
      throw new IllegalStateException("cannot reach the broker", e);
    }
  }

  /** What has happened, each event once. */
  public synchronized List<JsonNode> story() {
    return List.copyOf(story);
  }

  /** What has happened to the subject: the last words of the events' types. */
  public List<String> storyOf(String subject) {
    return story().stream()
        .filter(event -> event.path("subject").asString().equals(subject))
        .map(event -> event.path("type").asString())
        .map(type -> type.substring(type.lastIndexOf('.') + 1))
        .toList();
  }

  /** How many different user coupons were told of. */
  public synchronized long userCoupons() {
    return newest.keySet().stream().filter(subject -> subject.contains(".")).count();
  }

  @Override
  public void close() {
    connection.abort();
  }
}
