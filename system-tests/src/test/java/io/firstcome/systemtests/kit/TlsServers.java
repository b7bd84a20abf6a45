package io.firstcome.systemtests.kit;

import io.firstcome.devservices.DevServices;
import io.firstcome.devservices.process.Folders;
import io.firstcome.devservices.process.Ports;
import io.firstcome.devservices.service.ServiceProcess;
import io.firstcome.devservices.service.ServiceSettings;
import io.firstcome.systemtests.kit.CertificateAuthority.Certificate;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;

/** Servers that accept connections with TLS, and instances of the service that use it. */
public final class TlsServers implements AutoCloseable {

  private final Path folder;
  private final DevServices servers;
  private final int redisPort = Ports.free();

  public TlsServers(String name) {
    folder = Path.of(World.property("firstcome.work")).resolve(name);
    DevServices.endLeftOvers(folder);
    Folders.delete(folder);
    // With the installed Redis, as a deployment has it.
    servers = DevServices.forMeasurementsIn(folder);
  }

  /** Where certificates can be kept. */
  public Path folder() {
    return folder;
  }

  /**
   * Makes all servers use the certificate for new connections.
   *
   * @return the port of RabbitMQ that uses it
   */
  public int use(Certificate certificate, Path authority) {
    usePostgres(certificate);
    useRedis(certificate, authority);
    int port = Ports.free();
    servers
        .rabbitmq()
        .control(
            "eval",
            """
            application:ensure_all_started(ssl),
            rabbit_networking:start_ssl_listener({"127.0.0.1", %d},
              [{certfile, "%s"}, {keyfile, "%s"}, {cacertfile, "%s"}], 1).\
            """
                .formatted(port, certificate.file(), certificate.key(), authority));
    return port;
  }

  /** In one command: Redis applies them together or not at all. */
  private void useRedis(Certificate certificate, Path authority) {
    servers
        .redis()
        .command(
            "CONFIG",
            "SET",
            "tls-cert-file",
            certificate.file().toString(),
            "tls-key-file",
            certificate.key().toString(),
            "tls-ca-cert-file",
            authority.toString(),
            "tls-auth-clients",
            "no",
            "tls-port",
            Integer.toString(redisPort));
  }

  /** PostgreSQL reads a key only if no other user can, so that it writes the file itself. */
  private void usePostgres(Certificate certificate) {
    try (var connection = servers.postgres().connect();
        var statement = connection.createStatement()) {
      statement.execute(written(certificate.file(), "server.crt"));
      statement.execute(written(certificate.key(), "server.key"));
      statement.execute("ALTER SYSTEM SET ssl = on");
      statement.execute("SELECT pg_reload_conf()");
    } catch (SQLException | IOException e) {
      throw new IllegalStateException("PostgreSQL did not accept the certificate", e);
    }
  }

  private static String written(Path source, String target) throws IOException {
    return "COPY (SELECT unnest(string_to_array('%s', chr(10)))) TO PROGRAM 'umask 077; cat > %s'"
        .formatted(Files.readString(source).strip(), target);
  }

  /** Connections of the service to the database that use TLS. */
  public int encryptedDatabaseConnections() {
    return databaseConnections("ssl");
  }

  /** Connections of the service to the database that do not. */
  public int plainDatabaseConnections() {
    return databaseConnections("NOT ssl");
  }

  private int databaseConnections(String condition) {
    try (var connection = servers.postgres().connect();
        var statement = connection.createStatement();
        var counted =
            statement.executeQuery(
                "SELECT count(*) FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE "
                    + "usename = 'firstcome_service' AND "
                    + condition)) {
      counted.next();
      return counted.getInt(1);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Clients of Redis that are connected to its port without TLS, other than this test. */
  public long plainRedisClients() {
    return servers
        .redis()
        .command("CLIENT", "LIST")
        .lines()
        .filter(client -> client.contains("laddr=127.0.0.1:%d ".formatted(servers.redis().port())))
        .filter(client -> !client.contains("cmd=client"))
        .count();
  }

  /**
   * Starts an instance that connects to all servers with TLS.
   *
   * @param databaseTrust the authority whose certificates of PostgreSQL are accepted
   * @param trust the same for Redis and RabbitMQ
   */
  public ServiceProcess start(
      String name, int rabbitPort, Path databaseTrust, Path trust, Map<String, String> more) {
    Map<String, String> all = new HashMap<>();
    all.put(
        "SPRING_DATASOURCE_URL",
        "%s?sslmode=verify-full&sslrootcert=%s"
            .formatted(servers.postgres().jdbcUrl(), databaseTrust));
    all.put("SPRING_SSL_BUNDLE_PEM_SERVERS_TRUSTSTORE_CERTIFICATE", "file:" + trust);
    all.put("SPRING_DATA_REDIS_PORT", Integer.toString(redisPort));
    all.put("SPRING_DATA_REDIS_SSL_BUNDLE", "servers");
    all.put("SPRING_RABBITMQ_PORT", Integer.toString(rabbitPort));
    all.put("SPRING_RABBITMQ_SSL_BUNDLE", "servers");
    all.putAll(more);
    return ServiceProcess.start(
        ServiceSettings.of(
                Path.of(World.property("firstcome.jar")),
                folder.resolve(name),
                servers.postgres(),
                servers.redis(),
                servers.rabbitmq())
            .withJvmOptions("-XX:TieredStopAtLevel=1", "-Xmx256m")
            .withEnvironment(all));
  }

  /** The URL of the database without TLS. */
  public String plainDatabase() {
    return servers.postgres().jdbcUrl();
  }

  /** What an instance has logged. */
  public static String log(ServiceProcess instance) {
    try {
      return Files.readString(instance.logFile());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    servers.close();
  }
}
