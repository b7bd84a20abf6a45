package io.firstcome.devservices.server;

/** An AMQP 0-9-1 broker with publisher confirms. */
public sealed interface AmqpServer extends BackingServer
    permits LocalRabbitMq, LocalQpid, InContainer.Amqp, Remote.Amqp {

  /** Which broker it is: they differ in what survives a restart and in dead-lettering. */
  enum Kind {
    RABBITMQ,
    /**
     * Keeps messages in memory only; after a restart they are published again from the hand-off
     * log.
     */
    QPID
  }

  /** A broker at this address that was not started here. */
  static AmqpServer at(Kind kind, String host, int port, String user, String password) {
    return new Remote.Amqp(kind, host, port, user, password);
  }

  Kind kind();

  String user();

  String password();

  /**
   * The address as {@code amqp://user:password@host:port}. It has no trailing slash, which in an
   * AMQP URI means the virtual host with the empty name.
   */
  default String uri() {
    return "amqp://%s:%s@%s:%d".formatted(user(), password(), host(), port());
  }

  /**
   * Runs {@code rabbitmqctl} for a RabbitMQ that was started here, and waits until it has ended.
   *
   * @throws UnsupportedOperationException for any other broker
   * @throws IllegalStateException if it fails; the message quotes the end of the log
   */
  default void control(String... words) {
    throw new UnsupportedOperationException("not a RabbitMQ that was started here: " + kind());
  }
}
