package io.firstcome.systemtests.kit;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.firstcome.devservices.server.AmqpServer;
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

/** An example of an event consumer, shown in {@code docs/events.md}. */
public final class EventListener implements AutoCloseable {

  // docs/events.md: begin
  private static final String EXCHANGE = "firstcome.events";

  private final Connection connection;

  /** Highest revision seen, by user coupon or event. A real consumer stores it. */
  private final Map<String, Integer> newest = new HashMap<>();

  private EventListener(Connection connection, String queue, String pattern) throws IOException {
    this.connection = connection;
    Channel channel = connection.createChannel();
    channel.exchangeDeclare(EXCHANGE, "topic", true);
    // Two active consumers could process events of one user coupon out of order.
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
          // Acknowledge last: an unacknowledged message is delivered again.
          channel.basicAck(delivery.getEnvelope().getDeliveryTag(), false);
        },
        tag -> {});
  }

  private synchronized void take(JsonNode event) {
    var data = event.path("data");
    // Events of coupons have no revision: they are only deduplicated.
    int revision = data.path("revision").asInt(1);
    var key = event.path(data.has("revision") ? "subject" : "id").asString();
    if (newest.getOrDefault(key, 0) < revision) {
      process(event);
      // Last, in one transaction with what process writes: a failure must not lose the event.
      newest.put(key, revision);
    }
  }

  // docs/events.md: end

  private final List<JsonNode> story = new ArrayList<>();

  private void process(JsonNode event) {
    story.add(event);
  }

  /** Consumes a queue of its own, which is not deleted by {@link #close()}. */
  public static EventListener to(AmqpServer amqp, String queue, String pattern) {
    try {
      ConnectionFactory factory = new ConnectionFactory();
      factory.setUri(amqp.uri());
      return new EventListener(factory.newConnection(), queue, pattern);
    } catch (IOException | TimeoutException | URISyntaxException | GeneralSecurityException e) {
      throw new IllegalStateException("cannot reach the broker", e);
    }
  }

  /** All received events, each once. */
  public synchronized List<JsonNode> story() {
    return List.copyOf(story);
  }

  /** The ids of all received events, in the order of their arrival. */
  public List<String> eventIds() {
    return story().stream().map(event -> event.path("id").asString()).toList();
  }

  /** The events of the subject, by the last words of their types. */
  public List<String> storyOf(String subject) {
    return story().stream()
        .filter(event -> event.path("subject").asString().equals(subject))
        .map(event -> event.path("type").asString())
        .map(type -> type.substring(type.lastIndexOf('.') + 1))
        .toList();
  }

  /** The number of user coupons with an event. */
  public synchronized long userCoupons() {
    return newest.keySet().stream().filter(subject -> subject.contains(".")).count();
  }

  @Override
  public void close() {
    connection.abort();
  }
}
