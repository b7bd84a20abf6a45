package io.firstcome.benchmark.lab.published;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.Delivery;
import com.rabbitmq.client.MessageProperties;
import io.firstcome.benchmark.lab.strategy.Rows;
import io.firstcome.devservices.server.AmqpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A durable queue of wins in the broker, and its single consumer, which inserts a row for each
 * message and then acknowledges it; after a failed insert the broker delivers the message again.
 */
final class WinQueue implements AutoCloseable {

  private static final String DEFAULT_EXCHANGE = "";
  private static final String QUEUE = "lab.wins";

  /** For concurrent callers, as a channel has one user at a time. */
  private static final int CHANNELS = 16;

  private static final int PREFETCH = 250;

  private final Rows rows;
  private final Connection connection;
  private final Channel receiving;
  private final BlockingQueue<Channel> idle = new ArrayBlockingQueue<>(CHANNELS);
  private final Map<String, CountDownLatch> markers = new ConcurrentHashMap<>();

  private WinQueue(Connection connection, Rows rows) throws IOException {
    this.rows = rows;
    this.connection = connection;
    this.receiving = connection.createChannel();
    declare(receiving);
    for (int i = 0; i < CHANNELS; i++) {
      idle.add(connection.createChannel());
    }
  }

  /** Creates the queue if it does not exist, and starts the consumer. */
  static WinQueue open(AmqpServer broker, Rows rows) {
    var connection = connect(broker);
    try {
      var opened = new WinQueue(connection, rows);
      opened.receive();
      return opened;
    } catch (IOException e) {
      connection.abort();
      throw new UncheckedIOException(e);
    }
  }

  /** Deletes the queue with its messages. */
  static void delete(AmqpServer broker) {
    var connection = connect(broker);
    try {
      var channel = connection.createChannel();
      // Qpid refuses to delete a queue that does not exist.
      declare(channel);
      channel.queueDelete(QUEUE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      connection.abort();
    }
  }

  private static void declare(Channel channel) throws IOException {
    channel.queueDeclare(QUEUE, true, false, false, Map.of());
  }

  private static Connection connect(AmqpServer broker) {
    var factory = new ConnectionFactory();
    factory.setHost(broker.host());
    factory.setPort(broker.port());
    factory.setUsername(broker.user());
    factory.setPassword(broker.password());
    factory.setAutomaticRecoveryEnabled(false);
    try {
      return factory.newConnection();
    } catch (IOException | TimeoutException e) {
      throw new IllegalStateException("cannot connect to the broker", e);
    }
  }

  /** Sends a win; returns before the broker has it. */
  void send(String user) throws IOException, InterruptedException {
    send(user, MessageProperties.PERSISTENT_TEXT_PLAIN);
  }

  private void send(String text, BasicProperties properties)
      throws IOException, InterruptedException {
    var own = idle.take();
    try {
      own.basicPublish(DEFAULT_EXCHANGE, QUEUE, properties, text.getBytes(StandardCharsets.UTF_8));
    } finally {
      idle.add(own);
    }
  }

  private void receive() throws IOException {
    receiving.basicQos(PREFETCH);
    receiving.basicConsume(QUEUE, (_, delivery) -> received(delivery), _ -> {});
  }

  private void received(Delivery delivery) throws IOException {
    long tag = delivery.getEnvelope().getDeliveryTag();
    try {
      var marker = delivery.getProperties().getMessageId();
      if (marker == null) {
        var _ = rows.insert(new String(delivery.getBody(), StandardCharsets.UTF_8));
      } else {
        var reached = markers.get(marker);
        if (reached != null) {
          reached.countDown();
        }
      }
      receiving.basicAck(tag, false);
    } catch (SQLException e) {
      receiving.basicNack(tag, false, true);
    }
  }

  /**
   * Waits until the consumer has handled all messages that are in the queue or were sent before.
   *
   * @throws IllegalStateException on timeout
   */
  void settle(Duration within) throws InterruptedException {
    var marker = UUID.randomUUID().toString();
    var reached = new CountDownLatch(1);
    markers.put(marker, reached);
    try {
      awaitSent();
      send("", new BasicProperties.Builder().messageId(marker).build());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    if (!reached.await(within.toMillis(), TimeUnit.MILLISECONDS)) {
      throw new IllegalStateException("the queue was not empty within " + within);
    }
    markers.remove(marker);
  }

  /** Waits for a reply on each channel, so that the broker has the messages sent on it before. */
  private void awaitSent() throws IOException, InterruptedException {
    for (int i = 0; i < CHANNELS; i++) {
      var own = idle.take();
      try {
        own.queueDeclarePassive(QUEUE);
      } finally {
        idle.add(own);
      }
    }
  }

  @Override
  public void close() {
    connection.abort();
  }
}
