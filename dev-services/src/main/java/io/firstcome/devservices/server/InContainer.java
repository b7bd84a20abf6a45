package io.firstcome.devservices.server;

import io.firstcome.devservices.process.Waiting;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;

/** A server in a Docker container that this JVM started. It keeps its data until this JVM ends. */
public interface InContainer extends BackingServer {

  Duration START_LIMIT = Duration.ofSeconds(60);

  ServerContainer container();

  /** Whether the server accepts requests now. */
  boolean answers();

  @Override
  default long pid() {
    return container().pid();
  }

  @Override
  default boolean isAlive() {
    return container().isAlive();
  }

  @Override
  default void kill() {
    container().kill();
  }

  @Override
  default void stop() {
    container().stop();
  }

  @Override
  default void pause() {
    container().pause();
  }

  @Override
  default void resume() {
    container().resume();
  }

  @Override
  default void restart() {
    container().stop();
    container().start();
    boolean inTime = Waiting.until(START_LIMIT, () -> !isAlive() || answers());
    if (!inTime || !isAlive()) {
      throw new IllegalStateException(
          "the server in the container at %s:%d %s; the end of its log:%n%s"
              .formatted(
                  host(),
                  port(),
                  inTime ? "ended while it started" : "did not answer within " + START_LIMIT,
                  container().tail()));
    }
  }

  record Postgres(
      ServerContainer container,
      String host,
      int port,
      String database,
      String user,
      String password)
      implements InContainer, PostgresServer {

    @Override
    public boolean answers() {
      try (Connection connection =
          DriverManager.getConnection(
              jdbcUrl() + "?connectTimeout=2&socketTimeout=10", user, password)) {
        return connection.isValid(1);
      } catch (SQLException e) {
        // Not listening yet, or still replaying its log.
        return false;
      }
    }
  }

  record Redis(ServerContainer container, String host, int port)
      implements InContainer, RedisServer {

    @Override
    public boolean answers() {
      try {
        return command("PING").equals("PONG");
      } catch (IllegalStateException e) {
        // Not listening yet, or still loading its data.
        return false;
      }
    }
  }

  record Amqp(
      ServerContainer container, Kind kind, String host, int port, String user, String password)
      implements InContainer, AmqpServer {

    @Override
    public boolean answers() {
      return AmqpProbe.answers(host, port, user, password);
    }
  }
}
