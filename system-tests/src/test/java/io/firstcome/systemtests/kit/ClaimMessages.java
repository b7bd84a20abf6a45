package io.firstcome.systemtests.kit;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.GetResponse;
import com.rabbitmq.client.MessageProperties;
import io.firstcome.devservices.AmqpServer;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;

/** The claim messages under way, seen and handled as somebody with rights at the broker could. */
public final class ClaimMessages implements AutoCloseable {

  public static final String QUEUE = "firstcome.claims";

  /** Where the broker puts what was delivered too often. */
  public static final String DEAD_LETTERS = "firstcome.claims.dead";

  private static final String EXCHANGE = "firstcome.handoff";
  private static final String BATCH_FORMAT = "springBatchFormat";
  private static final String TAP = "system-tests.tap";
  private static final long CONFIRM_MILLIS = 20_000;

  private final Connection connection;
  private final Channel channel;

  /** A message as it was sent, or could have been sent, of one log entry. */
  public record Message(BasicProperties properties, String body) {

    /** The same with another content. */
    public Message with(String newBody) {
      return new Message(properties, newBody);
    }
  }

  private ClaimMessages(Connection connection, Channel channel) {
    this.connection = connection;
    this.channel = channel;
  }

  /** From now on a copy of each message is kept too. */
  public static ClaimMessages tapped(AmqpServer amqp) {
    ClaimMessages messages = at(amqp);
    messages.doing(channel -> {
      channel.queueDeclare(TAP, false, true, true, null);
      channel.queueBind(TAP, EXCHANGE, QUEUE);
    });
    return messages;
  }

  /** A connection of its own to the broker. */
  public static ClaimMessages at(AmqpServer amqp) {
    try {
      ConnectionFactory factory = new ConnectionFactory();
      factory.setUri(amqp.uri());
      Connection connection = factory.newConnection();
      return new ClaimMessages(connection, connection.createChannel());
    } catch (IOException | TimeoutException | URISyntaxException | GeneralSecurityException e) {
      throw new IllegalStateException("cannot reach the broker", e);
    }
  }

  /** What a caller does at the broker. */
  private interface Doing {
    void with(Channel channel) throws IOException, InterruptedException, TimeoutException;
  }

  private void doing(Doing doing) {
    try {
      doing.with(channel);
    } catch (IOException | TimeoutException e) {
      throw new IllegalStateException("the broker did not do it", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted at the broker", e);
    }
  }

  /** The copies that were made since the last call; of a message with several entries one each. */
  public List<Message> copies() {
    List<Message> copies = new ArrayList<>();
    doing(broker -> {
      for (GetResponse next = broker.basicGet(TAP, true);
          next != null;
          next = broker.basicGet(TAP, true)) {
        copies.addAll(entries(next));
      }
    });
    return copies;
  }

  /** As Spring AMQP writes batches: each part behind its length. */
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

  /** Sends the messages to the recorders, and returns when the broker has them. */
  public void send(List<Message> messages) {
    doing(broker -> {
      broker.confirmSelect();
      for (Message message : messages) {
        broker.basicPublish("", QUEUE, message.properties(), message.body().getBytes(UTF_8));
      }
      broker.waitForConfirmsOrDie(CONFIRM_MILLIS);
    });
  }

  /** Puts a message of anybody's making into the queue, and returns when the broker has it. */
  public void put(String queue, String body) {
    doing(broker -> {
      broker.confirmSelect();
      broker.basicPublish("", queue, MessageProperties.PERSISTENT_BASIC, body.getBytes(UTF_8));
      broker.waitForConfirmsOrDie(CONFIRM_MILLIS);
    });
  }

  /** How many wait for a recorder. */
  public long waiting() {
    return count(QUEUE);
  }

  /** How many the broker has given up, and nobody has fetched from there. */
  public long givenUp() {
    return count(DEAD_LETTERS);
  }

  private long count(String queue) {
    long[] count = {0};
    doing(broker -> count[0] = broker.messageCount(queue));
    return count[0];
  }

  public void deleteQueue() {
    doing(broker -> broker.queueDelete(QUEUE));
  }

  public void unbindQueue() {
    doing(broker -> broker.queueUnbind(QUEUE, EXCHANGE, QUEUE));
  }

  /** As the service has bound it. */
  public void bindQueue() {
    doing(broker -> broker.queueBind(QUEUE, EXCHANGE, QUEUE));
  }

  @Override
  public void close() {
    connection.abort();
  }
}
