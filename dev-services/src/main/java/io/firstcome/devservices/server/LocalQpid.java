package io.firstcome.devservices.server;

import io.firstcome.devservices.process.ChildProcess;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Apache Qpid Broker-J in a JVM of its own, for machines without RabbitMQ. It keeps messages in
 * memory: a restart loses the queued messages, which the service publishes again from its hand-off
 * log.
 */
public final class LocalQpid extends LocalServer implements AmqpServer {

  public LocalQpid(Path folder) {
    super("Qpid", folder);
  }

  @Override
  public Kind kind() {
    return Kind.QPID;
  }

  @Override
  public String user() {
    return USER;
  }

  @Override
  public String password() {
    return PASSWORD;
  }

  @Override
  void prepare() {
    QpidMain.writeConfiguration(configuration(), host(), port(), USER, PASSWORD);
  }

  @Override
  ChildProcess.Command command() {
    List<String> words =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx256m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            QpidMain.class.getName(),
            folder().toString());
    // In the environment, since the class path would make the command line unreadable.
    return new ChildProcess.Command(
        words, Map.of("CLASSPATH", System.getProperty("java.class.path")));
  }

  @Override
  boolean answers() {
    return AmqpProbe.answers(host(), port(), USER, PASSWORD);
  }

  private Path configuration() {
    return folder().resolve(QpidMain.CONFIGURATION_FILE);
  }
}
