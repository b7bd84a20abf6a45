package io.firstcome.devservices.server;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.regex.Pattern;

/** A PostgreSQL that writes each commit to disk: its durability settings are on, and checked. */
public sealed interface PostgresServer extends BackingServer
    permits LocalPostgres, InContainer.Postgres, Remote.Postgres {

  /** Without these settings, a crash can lose or corrupt committed data. */
  List<String> DURABILITY_SETTINGS = List.of("fsync", "synchronous_commit", "full_page_writes");

  /** A server at this address that was not started here. */
  static PostgresServer at(String host, int port, String database, String user, String password) {
    return new Remote.Postgres(host, port, database, user, password);
  }

  String database();

  /** A superuser. */
  String user();

  /** The password of all users. */
  String password();

  /** The user that migrates the schema. */
  default String ownerUser() {
    return user();
  }

  /** The user of the service. */
  default String serviceUser() {
    return user();
  }

  /** The address of {@link #database()}, without credentials. */
  default String jdbcUrl() {
    return jdbcUrl(database());
  }

  /** The address of another database on this server, which need not exist, without credentials. */
  default String jdbcUrl(String otherDatabase) {
    return "jdbc:postgresql://%s:%d/%s".formatted(host(), port(), otherDatabase);
  }

  /** Opens a connection to {@link #database()}; the caller closes it. */
  default Connection connect() throws SQLException {
    return DriverManager.getConnection(jdbcUrl(), user(), password());
  }

  /**
   * Creates an empty database; drops an existing one of this name first, with all its sessions.
   *
   * @param name up to 63 of a-z, 0-9 and _, beginning with a letter
   * @return the JDBC address of the new database, without credentials
   */
  default String createDatabase(String name) {
    if (!Pattern.matches("[a-z][a-z0-9_]{0,62}", name)) {
      throw new IllegalArgumentException("name is not a plain identifier: '%s'".formatted(name));
    }
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      statement.execute("DROP DATABASE IF EXISTS \"%s\" WITH (FORCE)".formatted(name));
      statement.execute("CREATE DATABASE \"%s\"".formatted(name));
    } catch (SQLException e) {
      throw new IllegalStateException("cannot create database '%s'".formatted(name), e);
    }
    return jdbcUrl(name);
  }

  /** Fails with {@link IllegalStateException} unless every durability setting is on. */
  default void requireDurable() {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      for (String setting : DURABILITY_SETTINGS) {
        try (ResultSet shown = statement.executeQuery("SHOW " + setting)) {
          shown.next();
          String value = shown.getString(1);
          if (!"on".equals(value)) {
            throw new IllegalStateException(
                "PostgreSQL at %s:%d has %s=%s; crash tests need it on"
                    .formatted(host(), port(), setting, value));
          }
        }
      }
    } catch (SQLException e) {
      throw new IllegalStateException("cannot read the settings of " + jdbcUrl(), e);
    }
  }
}
