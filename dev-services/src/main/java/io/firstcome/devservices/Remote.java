package io.firstcome.devservices;

/** A server whose process is not ours: given by the environment, or inside a container. */
interface Remote extends BackingServer {

  @Override
  default long pid() {
    throw notOurs();
  }

  @Override
  default boolean isAlive() {
    throw notOurs();
  }

  @Override
  default void kill() {
    throw notOurs();
  }

  @Override
  default void pause() {
    throw notOurs();
  }

  @Override
  default void resume() {
    throw notOurs();
  }

  @Override
  default void stop() {
    throw notOurs();
  }

  @Override
  default void restart() {
    throw notOurs();
  }

  private UnsupportedOperationException notOurs() {
    return new UnsupportedOperationException(
        "the server at %s:%d was not started as a program of this machine; use DevServices.in"
            .formatted(host(), port()));
  }

  record Postgres(String host, int port, String database, String user, String password)
      implements Remote, PostgresServer {}

  record Redis(String host, int port) implements Remote, RedisServer {}

  record Amqp(Kind kind, String host, int port, String user, String password)
      implements Remote, AmqpServer {}
}
