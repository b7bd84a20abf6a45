package io.firstcome.adapter.rabbitmq;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ShutdownSignalException;
import io.firstcome.domain.observation.Weakness;
import io.firstcome.domain.port.ServerSettings;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.amqp.AmqpException;
import org.springframework.amqp.core.Queue;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;

/**
 * Checks the product of the broker, and whether the queue of claims is as the service declares it:
 * an existing queue of that name keeps its own properties.
 */
final class RabbitServerSettings implements ServerSettings {

  private static final String SERVER = "AMQP broker";
  private static final String RABBITMQ = "RabbitMQ";

  /** RabbitMQ's message about the first property, by name, in which an existing queue differs. */
  private static final Pattern DIFFERENCE =
      Pattern.compile(
          "inequivalent arg '([^']+)' for \\w+ '([^']+)'.*"
              + " received (?:the value )?'?([^']+?)'?(?: of type '\\w+')?"
              + " but current is (?:the value )?'?([^']+?)'?(?: of type '\\w+')?$");

  /** Far above any real depth; bounds the search in a cyclic chain of causes. */
  private static final int MAX_CAUSES = 20;

  private final ConnectionFactory connectionFactory;
  private final BoundedCalls calls;
  private final Queue claims;

  RabbitServerSettings(ConnectionFactory connectionFactory, BoundedCalls calls, Queue claims) {
    this.connectionFactory = connectionFactory;
    this.calls = calls;
    this.claims = claims;
  }

  @Override
  public String server() {
    return SERVER;
  }

  @Override
  public List<Weakness> weaknesses() {
    return calls.call("checking the broker's settings", this::ask);
  }

  private List<Weakness> ask() throws Exception {
    try {
      // The client's own connection: a Spring channel would log a refusal as an error.
      var connection = connectionFactory.createConnection().getDelegate();
      var product = String.valueOf(connection.getServerProperties().get("product"));
      if (!product.equals(RABBITMQ)) {
        return List.of(otherProduct(product));
      }
      try (Channel channel = connection.createChannel()) {
        declareAgain(channel);
      }
      return List.of();
    } catch (AmqpException | IOException e) {
      // A new connection declares the queue too, and is refused for the same reason.
      return List.of(otherQueue(refusal(e).orElseThrow(() -> e)));
    }
  }

  /** No effect on a queue with the same properties; refused if the properties differ. */
  private void declareAgain(Channel channel) throws IOException {
    channel.queueDeclarePassive(claims.getName());
    channel.queueDeclare(
        claims.getName(),
        claims.isDurable(),
        claims.isExclusive(),
        claims.isAutoDelete(),
        claims.getArguments());
  }

  private static Weakness otherProduct(String product) {
    return new Weakness(
        SERVER,
        "product",
        product,
        RABBITMQ,
        "it has no quorum queues: messages can be lost with a node, and their claims are recorded"
            + " later, from the hand-off log");
  }

  private Weakness otherQueue(String refusal) {
    var difference = DIFFERENCE.matcher(refusal);
    boolean named = difference.find();
    return new Weakness(
        SERVER,
        named ? difference.group(1) + " of " + difference.group(2) : claims.getName(),
        named ? difference.group(4) : refusal,
        (named ? difference.group(3) : "as declared") + ", of a durable quorum queue",
        "messages can be lost with a node, and the next connection is refused: accepted claims then"
            + " stay in the hand-off log without rows");
  }

  /** The broker's reason for closing the channel, if the properties of a queue differ. */
  private static Optional<String> refusal(Throwable failure) {
    @Nullable Throwable cause = failure;
    for (int depth = 0; cause != null && depth < MAX_CAUSES; depth++) {
      if (cause instanceof ShutdownSignalException signal
          && signal.getReason() instanceof AMQP.Channel.Close close
          && close.getReplyCode() == AMQP.PRECONDITION_FAILED) {
        return Optional.of(close.getReplyText());
      }
      cause = cause.getCause();
    }
    return Optional.empty();
  }
}
