package io.firstcome.devservices;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.GetResponse;
import com.rabbitmq.client.MessageProperties;
import io.firstcome.devservices.server.AmqpServer;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** A connection to a broker with the few calls that the tests of brokers make. */
public final class AmqpSession implements AutoCloseable {

  private static final Duration CONFIRM_LIMIT = Duration.ofSeconds(10);

  private final Connection connection;
  private final Channel channel;

  private AmqpSession(Connection connection) throws Exception {
    this.connection = connection;
    this.channel = connection.createChannel();
    channel.confirmSelect();
  }

  public static AmqpSession open(AmqpServer server) throws Exception {
    ConnectionFactory factory = new ConnectionFactory();
    factory.setUri(server.uri());
    factory.setAutomaticRecoveryEnabled(false);
    return new AmqpSession(factory.newConnection());
  }

  public void declareQuorumQueue(String name) throws Exception {
    channel.queueDeclare(name, true, false, false, Map.of("x-queue-type", "quorum"));
  }

  /** Publishes a persistent message and returns when the broker has confirmed it. */
  public void publish(String queue, String text) throws Exception {
    channel.basicPublish("", queue, true, MessageProperties.PERSISTENT_BASIC, text.getBytes(UTF_8));
    channel.waitForConfirmsOrDie(CONFIRM_LIMIT.toMillis());
  }

  public Optional<String> take(String queue) throws Exception {
    GetResponse response = channel.basicGet(queue, true);
    return Optional.ofNullable(response).map(message -> new String(message.getBody(), UTF_8));
  }

  @Override
  public void close() throws IOException {
    connection.close();
  }
}
