package io.firstcome.systemtests.kit;

import io.firstcome.devservices.process.Folders;
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

/** The data of the servers of a world on disk, which a test deletes or restores. */
public final class ServerData {

  private final World world;

  private ServerData(World world) {
    this.world = world;
  }

  public static ServerData of(World world) {
    return new ServerData(world);
  }

  /** Copies the files of the database while it is stopped. */
  public void backUpDatabase() {
    world.postgres().stop();
    copyDatabase("data", "backup");
    world.postgres().restart();
  }

  /** Restores the last copy of the database; later changes are lost. */
  public void restoreDatabase() {
    world.postgres().kill();
    copyDatabase("backup", "data");
    world.postgres().restart();
  }

  /**
   * Accepts logins from that network, as from loopback.
   *
   * @param network in CIDR notation
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

  /** Kills the broker, and restarts it without any data. */
  public void wipeBroker() {
    world.amqp().kill();
    Folders.delete(world.folder().resolve("rabbitmq").resolve("data"));
    world.amqp().restart();
  }
}
