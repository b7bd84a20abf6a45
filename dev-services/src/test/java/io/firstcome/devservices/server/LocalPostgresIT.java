package io.firstcome.devservices.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.devservices.DevServices;
import io.firstcome.devservices.process.Processes;
import io.firstcome.devservices.process.Waiting;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LocalPostgresIT {

  private static final Duration END_LIMIT = Duration.ofSeconds(10);

  @TempDir static Path folder;
  private DevServices services;
  private PostgresServer postgres;

  @BeforeAll
  void start() {
    services = DevServices.in(folder);
    postgres = services.postgres();
  }

  @BeforeEach
  void revive() {
    if (!postgres.isAlive()) {
      postgres.restart();
    }
  }

  @AfterAll
  void end() {
    services.close();
  }

  @Test
  void every_commit_is_on_disk_before_it_is_answered() throws SQLException {
    postgres.requireDurable();
    assertThat(text(postgres.jdbcUrl(), "SHOW fsync")).isEqualTo("on");
    assertThat(text(postgres.jdbcUrl(), "SHOW synchronous_commit")).isEqualTo("on");
  }

  @Test
  void it_listens_on_loopback_only_and_at_no_standard_port() throws SQLException {
    assertThat(text(postgres.jdbcUrl(), "SHOW listen_addresses")).isEqualTo("127.0.0.1");
    assertThat(postgres.port()).isNotEqualTo(5432);
  }

  @Test
  void a_created_database_is_empty_also_the_second_time() throws SQLException {
    String url = postgres.createDatabase("fresh");
    run(url, "CREATE TABLE kept (id int)");
    assertThat(postgres.createDatabase("fresh")).isEqualTo(url);
    assertThat(text(url, "SELECT count(*) FROM pg_tables WHERE tablename = 'kept'")).isEqualTo("0");
  }

  @Test
  void after_a_clean_restart_data_and_port_are_the_same() throws SQLException {
    int port = postgres.port();
    String url = tableWithOneRow("restarted");
    postgres.restart();
    assertThat(postgres.port()).isEqualTo(port);
    assertThat(text(url, "SELECT id FROM kept")).isEqualTo("7");
  }

  @Test
  void a_kill_ends_the_backends_too_and_committed_rows_survive_it() throws SQLException {
    String url = tableWithOneRow("killed");
    long backend = Long.parseLong(text(url, "SELECT pg_backend_pid()"));
    try (Connection open = connect(url)) {
      long openBackend = Long.parseLong(text(open, "SELECT pg_backend_pid()"));
      postgres.kill();
      assertThat(List.of(postgres.pid(), backend, openBackend)).noneMatch(LocalPostgresIT::runs);
    }
    assertThat(postgres.isAlive()).isFalse();
    postgres.restart();
    assertThat(text(url, "SELECT id FROM kept")).isEqualTo("7");
  }

  @Test
  void a_kill_from_outside_is_seen_and_can_be_restarted_from() throws SQLException {
    String url = tableWithOneRow("killed_outside");
    try (Connection open = connect(url)) {
      assertThat(open.isValid(1)).isTrue();
      ProcessHandle.of(postgres.pid()).orElseThrow().destroyForcibly();
      assertThat(Waiting.until(END_LIMIT, () -> !postgres.isAlive())).isTrue();
      postgres.restart();
    }
    assertThat(text(url, "SELECT id FROM kept")).isEqualTo("7");
  }

  private String tableWithOneRow(String database) throws SQLException {
    String url = postgres.createDatabase(database);
    run(url, "CREATE TABLE kept (id int); INSERT INTO kept VALUES (7)");
    return url;
  }

  private static boolean runs(long pid) {
    return ProcessHandle.of(pid).filter(process -> !Processes.isGone(process)).isPresent();
  }

  private Connection connect(String url) throws SQLException {
    return DriverManager.getConnection(url, postgres.user(), postgres.password());
  }

  private void run(String url, String sql) throws SQLException {
    try (Connection connection = connect(url);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private String text(String url, String sql) throws SQLException {
    try (Connection connection = connect(url)) {
      return text(connection, sql);
    }
  }

  private static String text(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      assertThat(result.next()).isTrue();
      return result.getString(1);
    }
  }
}
