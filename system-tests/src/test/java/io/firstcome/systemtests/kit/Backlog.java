package io.firstcome.systemtests.kit;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.firstcome.devservices.server.AmqpServer;
import io.firstcome.devservices.server.RedisServer;
import io.firstcome.systemtests.kit.Violation.Invariant;
import java.io.IOException;
import java.net.URISyntaxException;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeoutException;

/**
 * The unfinished work between Redis and the database, read from the servers themselves.
 *
 * @param counts by place
 */
public record Backlog(Map<String, Long> counts) {

  private static final String LOGS = "firstcome:{*}:handoff";
  private static final String READERS = "relay";
  private static final List<String> QUEUES = List.of("firstcome.claims", "firstcome.claims.dead");

  public Backlog {
    counts = Map.copyOf(counts);
  }

  /** Reads all counts. Messages that a consumer has not acknowledged are not counted. */
  public static Backlog read(RedisServer redis, AmqpServer amqp) {
    Map<String, Long> counts = new TreeMap<>();
    redis
        .command("KEYS", LOGS)
        .lines()
        .filter(log -> !log.isEmpty())
        .forEach(log -> {
          counts.put("entries of " + log, Long.valueOf(redis.command("XLEN", log)));
          counts.put("pending of " + log, pending(redis, log));
        });
    counts.putAll(queued(amqp));
    return new Backlog(counts);
  }

  /** The reply is a count, then the first id, the last id and the consumers. */
  private static long pending(RedisServer redis, String log) {
    boolean isRead = redis.command("XINFO", "GROUPS", log).lines().anyMatch(READERS::equals);
    return isRead
        ? redis.command("XPENDING", log, READERS).lines().findFirst().map(Long::valueOf).orElse(0L)
        : 0;
  }

  private static Map<String, Long> queued(AmqpServer amqp) {
    Map<String, Long> counts = new TreeMap<>();
    try {
      ConnectionFactory factory = new ConnectionFactory();
      factory.setUri(amqp.uri());
      try (Connection connection = factory.newConnection()) {
        for (String queue : QUEUES) {
          counts.putAll(queued(connection, queue));
        }
      }
    } catch (IOException | TimeoutException | URISyntaxException | GeneralSecurityException e) {
      throw new IllegalStateException("cannot read the queues", e);
    }
    return counts;
  }

  /** A passive declaration of a missing queue closes the channel. */
  private static Map<String, Long> queued(Connection connection, String queue) throws IOException {
    Channel channel = connection.createChannel();
    try {
      return Map.of(
          "messages in " + queue, (long) channel.queueDeclarePassive(queue).getMessageCount());
    } catch (IOException e) {
      if (channel.isOpen()) {
        throw e;
      }
      return Map.of("missing queue " + queue, 1L);
    } finally {
      channel.abort();
    }
  }

  /** All violations of I8. */
  public List<Violation> violations() {
    List<Violation> found = new ArrayList<>();
    new TreeMap<>(counts)
        .forEach((place, count) -> {
          if (count != 0) {
            found.add(new Violation(Invariant.I8, "%d %s".formatted(count, place)));
          }
        });
    return List.copyOf(found);
  }
}
