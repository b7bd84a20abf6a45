package io.firstcome.devservices;

import io.firstcome.devservices.server.AmqpServer;
import io.firstcome.devservices.server.PostgresServer;
import io.firstcome.devservices.server.RedisServer;
import io.firstcome.devservices.server.Remote;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.postgresql.PostgreSQLContainer;
import org.testcontainers.rabbitmq.RabbitMQContainer;
import org.testcontainers.utility.DockerImageName;

/** Servers in containers, which Testcontainers removes when this JVM has ended. */
final class DockerServers {

  private static final int REDIS_PORT = 6379;

  private DockerServers() {}

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
        new PostgreSQLContainer(DockerImageName.parse("postgres:18-alpine"))
            .withCommand(
                "postgres",
                "-c",
                "fsync=on",
                "-c",
                "synchronous_commit=on",
                "-c",
                "max_connections=200");
    container.start();
    return new Remote.Postgres(
        container.getHost(),
        container.getMappedPort(PostgreSQLContainer.POSTGRESQL_PORT),
        container.getDatabaseName(),
        container.getUsername(),
        container.getPassword());
  }

  static RedisServer redis() {
    GenericContainer<?> container =
        new GenericContainer<>(DockerImageName.parse("redis:7-alpine"))
            .withExposedPorts(REDIS_PORT)
            .withCommand(
                "redis-server",
                "--appendonly",
                "yes",
                "--appendfsync",
                "always",
                "--maxmemory-policy",
                "noeviction",
                "--repl-backlog-ttl",
                "0");
    container.start();
    return new Remote.Redis(container.getHost(), container.getMappedPort(REDIS_PORT));
  }

  static AmqpServer rabbitMq() {
    RabbitMQContainer container = new RabbitMQContainer(DockerImageName.parse("rabbitmq:4-alpine"));
    container.start();
    return new Remote.Amqp(
        AmqpServer.Kind.RABBITMQ,
        container.getHost(),
        container.getAmqpPort(),
        container.getAdminUsername(),
        container.getAdminPassword());
  }
}
