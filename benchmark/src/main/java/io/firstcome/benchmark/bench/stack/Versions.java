package io.firstcome.benchmark.bench.stack;

import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.firstcome.devservices.server.AmqpServer;
import io.firstcome.devservices.server.PostgresServer;
import io.firstcome.devservices.server.RedisServer;
import java.io.IOException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeoutException;

/** The versions of the servers, by their names. */
public final class Versions {

  private Versions() {}

  /** With its allocator, which affects the time of a script. */
  public static Map<String, String> of(RedisServer redis) {
    return Map.of(
        "Redis",
        "%s with %s"
            .formatted(
                info(redis, "server", "redis_version"), info(redis, "memory", "mem_allocator")));
  }

  private static String info(RedisServer redis, String section, String name) {
    return redis
        .command("INFO", section)
        .lines()
        .filter(line -> line.startsWith(name + ":"))
        .map(line -> line.substring(name.length() + 1).strip())
        .findFirst()
        .orElse("unknown");
  }

  public static Map<String, String> of(PostgresServer postgres) {
    try (var connection = postgres.connect();
        Statement statement = connection.createStatement();
        ResultSet shown = statement.executeQuery("SHOW server_version")) {
      shown.next();
      return Map.of("PostgreSQL", shown.getString(1));
    } catch (SQLException e) {
      throw new IllegalStateException("cannot read the version of PostgreSQL", e);
    }
  }

  public static Map<String, String> of(AmqpServer amqp) {
    ConnectionFactory factory = new ConnectionFactory();
    factory.setHost(amqp.host());
    factory.setPort(amqp.port());
    factory.setUsername(amqp.user());
    factory.setPassword(amqp.password());
    String name =
        switch (amqp.kind()) {
          case RABBITMQ -> "RabbitMQ";
          case QPID -> "Qpid";
        };
    try (Connection connection = factory.newConnection()) {
      Object version = connection.getServerProperties().get("version");
      return Map.of(name, Objects.toString(version, "unknown"));
    } catch (IOException | TimeoutException e) {
      throw new IllegalStateException("cannot read the version of the broker", e);
    }
  }
}
