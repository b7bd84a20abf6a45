package io.firstcome.devservices;

import io.firstcome.devservices.server.AmqpServer;
import io.firstcome.devservices.server.PostgresServer;
import io.firstcome.devservices.server.RedisServer;
import java.net.URI;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Servers whose addresses are given by environment variables. */
final class GivenServers {

  /** {@code jdbc:postgresql://host:port/database?user=…&password=…}. */
  static final String POSTGRES = "FIRSTCOME_TEST_POSTGRES_URL";

  /** {@code redis://host:port}, without a password. */
  static final String REDIS = "FIRSTCOME_TEST_REDIS_URL";

  /** {@code amqp://user:password@host:port} of a RabbitMQ. */
  static final String AMQP = "FIRSTCOME_TEST_AMQP_URI";

  private static final int REDIS_PORT = 6379;
  private static final int AMQP_PORT = 5672;

  private static final Pattern POSTGRES_URL =
      Pattern.compile(
          "jdbc:postgresql://(?<host>[^:/]+)(?::(?<port>\\d+))?/(?<database>[^?]+)\\?"
              + "user=(?<user>[^&]+)&password=(?<password>[^&]+)");

  private final Function<String, @Nullable String> environment;

  GivenServers(Function<String, @Nullable String> environment) {
    this.environment = environment;
  }

  Optional<PostgresServer> postgres() {
    return value(POSTGRES)
        .map(text -> {
          Matcher url = POSTGRES_URL.matcher(text);
          if (!url.matches()) {
            throw malformed(POSTGRES);
          }
          int port = url.group("port") == null ? 5432 : Integer.parseInt(url.group("port"));
          return PostgresServer.at(
              url.group("host"),
              port,
              url.group("database"),
              url.group("user"),
              url.group("password"));
        });
  }

  Optional<RedisServer> redis() {
    return value(REDIS)
        .map(text -> {
          URI uri = uri(REDIS, text);
          return RedisServer.at(uri.getHost(), port(uri, REDIS_PORT));
        });
  }

  Optional<AmqpServer> amqp() {
    return value(AMQP)
        .map(text -> {
          URI uri = uri(AMQP, text);
          String[] user = String.valueOf(uri.getUserInfo()).split(":", 2);
          if (user.length != 2) {
            throw malformed(AMQP);
          }
          return AmqpServer.at(
              AmqpServer.Kind.RABBITMQ, uri.getHost(), port(uri, AMQP_PORT), user[0], user[1]);
        });
  }

  private Optional<String> value(String name) {
    return Optional.ofNullable(environment.apply(name)).filter(text -> !text.isBlank());
  }

  private static URI uri(String name, String text) {
    URI uri = URI.create(text);
    if (uri.getHost() == null) {
      throw malformed(name);
    }
    return uri;
  }

  private static int port(URI uri, int defaultPort) {
    return uri.getPort() < 0 ? defaultPort : uri.getPort();
  }

  /** The message omits the value, which contains a password. */
  private static IllegalArgumentException malformed(String name) {
    return new IllegalArgumentException(
        "%s does not have the form described in GivenServers".formatted(name));
  }
}
