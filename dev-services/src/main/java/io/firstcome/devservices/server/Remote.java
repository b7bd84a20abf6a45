package io.firstcome.devservices.server;

/** A server whose process this JVM does not control: its address was given by the environment. */
public interface Remote extends BackingServer {

  @Override
  default long pid() {
    throw notControlled();
  }

  @Override
  default boolean isAlive() {
    throw notControlled();
  }

  @Override
  default void kill() {
    throw notControlled();
  }

  @Override
  default void pause() {
    throw notControlled();
  }

  @Override
  default void resume() {
    throw notControlled();
  }

  @Override
  default void stop() {
    throw notControlled();
  }

  @Override
  default void restart() {
    throw notControlled();
  }

  private UnsupportedOperationException notControlled() {
    return new UnsupportedOperationException(
        "the server at %s:%d was not started here; use DevServices.in".formatted(host(), port()));
  }

  record Postgres(String host, int port, String database, String user, String password)
      implements Remote, PostgresServer {}

  record Redis(String host, int port) implements Remote, RedisServer {}

  record Amqp(Kind kind, String host, int port, String user, String password)
      implements Remote, AmqpServer {}
}
