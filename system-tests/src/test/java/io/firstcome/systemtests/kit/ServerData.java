package io.firstcome.systemtests.kit;

import io.firstcome.devservices.Folders;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.stream.Stream;

/** What the servers of a world keep on disk, to be lost or set back. */
public final class ServerData {

  private final World world;

  private ServerData(World world) {
    this.world = world;
  }

  public static ServerData of(World world) {
    return new ServerData(world);
  }

  /** Keeps a copy of the database, made while it does not run. */
  public void backUpDatabase() {
    world.postgres().stop();
    copyDatabase("data", "backup");
    world.postgres().restart();
  }

  /** The database as it was when it was last copied; all since is lost. */
  public void restoreDatabase() {
    world.postgres().kill();
    copyDatabase("backup", "data");
    world.postgres().restart();
  }

  /**
   * Lets clients at that address sign in as those of loopback do.
   *
   * @param network in the notation of CIDR
   */
  void admitToDatabase(String network) {
    Path rules = world.folder().resolve("postgres/data/pg_hba.conf");
    try (Connection connection = world.postgres().connect();
        Statement statement = connection.createStatement()) {
      Files.writeString(
          rules, "host all all %s scram-sha-256%n".formatted(network), StandardOpenOption.APPEND);
      statement.execute("SELECT pg_reload_conf()");
    } catch (IOException | SQLException e) {
      throw new IllegalStateException("cannot admit " + network, e);
    }
  }

  private void copyDatabase(String from, String to) {
    Path postgres = world.folder().resolve("postgres");
    Path source = postgres.resolve(from);
    Path target = postgres.resolve(to);
    Folders.delete(target);
    try (Stream<Path> files = Files.walk(source)) {
      for (Path file : files.toList()) {
        Files.copy(
            file, target.resolve(source.relativize(file)), StandardCopyOption.COPY_ATTRIBUTES);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The broker dies, and comes back as one that nobody has ever used. */
  public void wipeBroker() {
    world.amqp().kill();
    Folders.delete(world.folder().resolve("rabbitmq").resolve("data"));
    world.amqp().restart();
  }
}
