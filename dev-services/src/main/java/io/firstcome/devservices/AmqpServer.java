package io.firstcome.devservices;

/** An AMQP 0-9-1 broker with publisher confirms. */
public sealed interface AmqpServer extends BackingServer
    permits LocalRabbitMq, LocalQpid, Remote.Amqp {

  /** Which broker it is: they differ in what survives a restart and in dead-lettering. */
  enum Kind {
    RABBITMQ,
    /** Keeps messages in memory only: what its queues held at its end, the hand-off log repeats. */
    QPID
  }

  /** One that somebody else has started there. */
  static AmqpServer at(Kind kind, String host, int port, String user, String password) {
    return new Remote.Amqp(kind, host, port, user, password);
  }

  Kind kind();

  String user();

  String password();

  /**
   * The address as {@code amqp://user:password@host:port}. There is no slash at its end on purpose:
   * the AMQP URI rules read that as the virtual host with the empty name.
   */
  default String uri() {
    return "amqp://%s:%s@%s:%d".formatted(user(), password(), host(), port());
  }

  /**
   * Runs {@code rabbitmqctl} for a RabbitMQ that was started here, and returns when it has ended.
   *
   * @throws UnsupportedOperationException for any other broker
   * @throws IllegalStateException if it fails, with the end of the log
   */
  default void control(String... words) {
    throw new UnsupportedOperationException("not a RabbitMQ of our own: " + kind());
  }
}
