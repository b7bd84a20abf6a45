package io.firstcome.devservices;

import io.firstcome.devservices.process.Ports;
import io.firstcome.devservices.server.AmqpServer;
import io.firstcome.devservices.server.InContainer;
import io.firstcome.devservices.server.PostgresServer;
import io.firstcome.devservices.server.RedisServer;
import io.firstcome.devservices.server.ServerContainer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.postgresql.PostgreSQLContainer;
import org.testcontainers.rabbitmq.RabbitMQContainer;
import org.testcontainers.utility.DockerImageName;

/**
 * Servers in containers, which Testcontainers removes when this JVM has ended. The environment can
 * name other images than the official ones; they must be configured in the same way.
 */
final class DockerServers {

  /** With the value {@code docker}, tests use no other servers than those in containers. */
  static final String SERVERS = "firstcome.servers";

  private static final String POSTGRES_IMAGE = "FIRSTCOME_POSTGRES_IMAGE";
  private static final String REDIS_IMAGE = "FIRSTCOME_REDIS_IMAGE";
  private static final String RABBITMQ_IMAGE = "FIRSTCOME_RABBITMQ_IMAGE";

  private static final int REDIS_PORT = 6379;
  private static final int AMQP_PORT = 5672;

  private static final String THIS_MACHINE = "localhost";
  private static final String LOOPBACK = Ports.loopback().getHostAddress();

  private DockerServers() {}

  /**
   * Whether tests must run on servers in containers.
   *
   * @throws IllegalArgumentException if {@value #SERVERS} has another value than {@code docker}
   */
  static boolean areRequired() {
    String servers = System.getProperty(SERVERS, "");
    return switch (servers) {
      case "" -> false;
      case "docker" -> true;
      default -> throw new IllegalArgumentException("-D%s=%s".formatted(SERVERS, servers));
    };
  }

  /**
   * Whether Docker is available. Testcontainers checks that with many log lines, so it is called
   * only if there are signs of Docker.
   */
  static boolean areAvailable() {
    boolean hinted =
        System.getenv("DOCKER_HOST") != null
            || Stream.of(
                    Path.of("/var/run/docker.sock"),
                    Path.of(System.getProperty("user.home"), ".docker/run/docker.sock"),
                    Path.of(System.getProperty("user.home"), ".testcontainers.properties"))
                .anyMatch(Files::exists);
    return hinted && DockerClientFactory.instance().isDockerAvailable();
  }

  static PostgresServer postgres() {
    // Testcontainers' own command line turns fsync off.
    PostgreSQLContainer container =
        new PostgreSQLContainer(image(POSTGRES_IMAGE, "postgres", "18-alpine"))
            .withCommand(
                "postgres",
                "-c",
                "fsync=on",
                "-c",
                "synchronous_commit=on",
                "-c",
                "max_connections=200",
                "-c",
                "timezone=UTC");
    ServerContainer started = start(container, PostgreSQLContainer.POSTGRESQL_PORT);
    return new InContainer.Postgres(
        started,
        host(),
        container.getMappedPort(PostgreSQLContainer.POSTGRESQL_PORT),
        container.getDatabaseName(),
        container.getUsername(),
        container.getPassword());
  }

  static RedisServer redis() {
    // In protected mode, the default outside the official image, it refuses clients of other hosts.
    GenericContainer<?> container =
        new GenericContainer<>(image(REDIS_IMAGE, "redis", "7-alpine"))
            .withExposedPorts(REDIS_PORT)
            .withCommand(
                "redis-server",
                "--protected-mode",
                "no",
                "--appendonly",
                "yes",
                "--appendfsync",
                "always",
                "--maxmemory-policy",
                "noeviction",
                "--repl-backlog-ttl",
                "0",
                "--save",
                "");
    ServerContainer started = start(container, REDIS_PORT);
    return new InContainer.Redis(started, host(), container.getMappedPort(REDIS_PORT));
  }

  static AmqpServer rabbitMq() {
    RabbitMQContainer container =
        new RabbitMQContainer(image(RABBITMQ_IMAGE, "rabbitmq", "4-alpine"));
    ServerContainer started = start(container, AMQP_PORT);
    return new InContainer.Amqp(
        started,
        AmqpServer.Kind.RABBITMQ,
        host(),
        container.getAmqpPort(),
        container.getAdminUsername(),
        container.getAdminPassword());
  }

  /** The image that the variable names, otherwise the official one. */
  private static DockerImageName image(String variable, String official, String tag) {
    return Optional.ofNullable(System.getenv(variable))
        .filter(name -> !name.isBlank())
        .map(name -> DockerImageName.parse(name).asCompatibleSubstituteFor(official))
        .orElseGet(() -> DockerImageName.parse(official).withTag(tag));
  }

  /** Starts it with a fixed port, which stays the same when the container is restarted. */
  private static ServerContainer start(GenericContainer<?> container, int port) {
    // On this machine the servers listen on loopback only, like local programs.
    String address = host().equals(LOOPBACK) ? LOOPBACK + ":" : "";
    container.setPortBindings(List.of("%s%d:%d".formatted(address, Ports.free(), port)));
    container.start();
    return new ServerContainer(container);
  }

  /** The host of the published ports. */
  private static String host() {
    DockerClientFactory docker = DockerClientFactory.instance();
    // Connects to Docker; before that, Testcontainers may fail to find the address.
    var _ = docker.client();
    String address = docker.dockerHostIpAddress();
    return address.equals(THIS_MACHINE) ? LOOPBACK : address;
  }
}
