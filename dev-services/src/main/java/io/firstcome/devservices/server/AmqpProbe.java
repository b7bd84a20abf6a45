package io.firstcome.devservices.server;

import com.rabbitmq.client.ConnectionFactory;
import java.io.IOException;
import java.util.concurrent.TimeoutException;

/**
 * Checks whether an AMQP 0-9-1 broker accepts connections. It opens a connection completely, since
 * a broker listens and starts the handshake before its virtual host is active.
 */
final class AmqpProbe {

  private static final int TIMEOUT_MILLIS = 2_000;

  private AmqpProbe() {}

  /** Whether a connection to the virtual host "/" can be opened now. */
  static boolean answers(String host, int port, String user, String password) {
    var factory = new ConnectionFactory();
    factory.setHost(host);
    factory.setPort(port);
    factory.setUsername(user);
    factory.setPassword(password);
    factory.setConnectionTimeout(TIMEOUT_MILLIS);
    factory.setHandshakeTimeout(TIMEOUT_MILLIS);
    factory.setShutdownTimeout(TIMEOUT_MILLIS);
    factory.setAutomaticRecoveryEnabled(false);
    try (var connection = factory.newConnection()) {
      return connection.isOpen();
    } catch (IOException | TimeoutException e) {
      return false;
    }
  }
}
