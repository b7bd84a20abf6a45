package io.firstcome.systemtests.kit;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.GetResponse;
import com.rabbitmq.client.MessageProperties;
import io.firstcome.devservices.server.AmqpServer;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;

/** The queued claim messages, read and changed with an operator's rights at the broker. */
public final class QueuedClaimMessages implements AutoCloseable {

  public static final String QUEUE = "firstcome.claims";

  /** The queue of messages that exceeded the delivery limit. */
  public static final String DEAD_LETTERS = "firstcome.claims.dead";

  private static final String EXCHANGE = "firstcome.handoff";
  private static final String BATCH_FORMAT = "springBatchFormat";
  private static final String TAP = "system-tests.tap";
  private static final long CONFIRM_MILLIS = 20_000;

  private final Connection connection;
  private final Channel channel;

  /** A message of one log entry, as the service has sent it or could send it. */
  public record Message(BasicProperties properties, String body) {

    /** The same with another content. */
    public Message with(String newBody) {
      return new Message(properties, newBody);
    }
  }

  private QueuedClaimMessages(Connection connection, Channel channel) {
    this.connection = connection;
    this.channel = channel;
  }

  /** Connects, and copies each message that is published from now on. */
  public static QueuedClaimMessages tapped(AmqpServer amqp) {
    QueuedClaimMessages messages = at(amqp);
    messages.perform(channel -> {
      channel.queueDeclare(TAP, false, true, true, null);
      channel.queueBind(TAP, EXCHANGE, QUEUE);
    });
    return messages;
  }

  /** A connection of its own to the broker. */
  public static QueuedClaimMessages at(AmqpServer amqp) {
    try {
      ConnectionFactory factory = new ConnectionFactory();
      factory.setUri(amqp.uri());
      Connection connection = factory.newConnection();
      return new QueuedClaimMessages(connection, connection.createChannel());
    } catch (IOException | TimeoutException | URISyntaxException | GeneralSecurityException e) {
      throw new IllegalStateException("cannot reach the broker", e);
    }
  }

  /** An action on the channel to the broker. */
  private interface Doing {
    void with(Channel channel) throws IOException, InterruptedException, TimeoutException;
  }

  private void perform(Doing action) {
    try {
      action.with(channel);
    } catch (IOException | TimeoutException e) {
      throw new IllegalStateException("the broker rejected the command", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waiting for the broker", e);
    }
  }

  /** The copies since the last call; a message with several entries gives one for each. */
  public List<Message> copies() {
    List<Message> copies = new ArrayList<>();
    perform(broker -> {
      for (GetResponse next = broker.basicGet(TAP, true);
          next != null;
          next = broker.basicGet(TAP, true)) {
        copies.addAll(entries(next));
      }
    });
    return copies;
  }

  /** Splits a batch of Spring AMQP: each part follows its length. */
  private static List<Message> entries(GetResponse message) {
    Map<String, Object> headers = new HashMap<>(message.getProps().getHeaders());
    boolean shared = headers.remove(BATCH_FORMAT) != null;
    BasicProperties properties = message.getProps().builder().headers(headers).build();
    ByteBuffer body = ByteBuffer.wrap(message.getBody());
    List<Message> entries = new ArrayList<>();
    while (body.hasRemaining()) {
      byte[] entry = new byte[shared ? body.getInt() : body.remaining()];
      body.get(entry);
      entries.add(new Message(properties, new String(entry, UTF_8)));
    }
    return entries;
  }

  /** Sends the messages to the recorders, and returns after the confirms of the broker. */
  public void send(List<Message> messages) {
    perform(broker -> {
      broker.confirmSelect();
      for (Message message : messages) {
        broker.basicPublish("", QUEUE, message.properties(), message.body().getBytes(UTF_8));
      }
      broker.waitForConfirmsOrDie(CONFIRM_MILLIS);
    });
  }

  /** Publishes any message to the queue, and returns after the confirm of the broker. */
  public void put(String queue, String body) {
    perform(broker -> {
      broker.confirmSelect();
      broker.basicPublish("", queue, MessageProperties.PERSISTENT_BASIC, body.getBytes(UTF_8));
      broker.waitForConfirmsOrDie(CONFIRM_MILLIS);
    });
  }

  /** The number of messages that are ready for a recorder. */
  public long waiting() {
    return count(QUEUE);
  }

  /** The number of dead-lettered messages that are still in the broker. */
  public long deadLettered() {
    return count(DEAD_LETTERS);
  }

  private long count(String queue) {
    long[] count = {0};
    perform(broker -> count[0] = broker.messageCount(queue));
    return count[0];
  }

  public void deleteQueue() {
    perform(broker -> broker.queueDelete(QUEUE));
  }

  public void unbindQueue() {
    perform(broker -> broker.queueUnbind(QUEUE, EXCHANGE, QUEUE));
  }

  /** Binds the queue again, as the service does. */
  public void bindQueue() {
    perform(broker -> broker.queueBind(QUEUE, EXCHANGE, QUEUE));
  }

  @Override
  public void close() {
    connection.abort();
  }
}
