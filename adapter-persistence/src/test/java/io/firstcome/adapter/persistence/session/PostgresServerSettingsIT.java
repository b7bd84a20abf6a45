package io.firstcome.adapter.persistence.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.firstcome.adapter.persistence.TestDatabase;
import io.firstcome.devservices.DevServices;
import io.firstcome.devservices.server.PostgresServer;
import io.firstcome.domain.observation.Weakness;
import io.firstcome.domain.port.DatabaseUnavailableException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The adapter's check of the settings of a separate PostgreSQL. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PostgresServerSettingsIT {

  private static final Duration RELOAD_LIMIT = Duration.ofSeconds(10);
  private static final long CONNECT_LIMIT_MILLIS = 1_000;

  private static final String STANDBYS = "synchronous_standby_names";

  @TempDir static Path folder;
  private DevServices services;
  private PostgresServer server;

  @BeforeAll
  void start() {
    services = DevServices.in(folder);
    server = services.postgres();
  }

  @AfterAll
  void end() {
    services.close();
  }

  @Test
  void a_server_with_the_required_settings_has_no_weakness() {
    assertThat(weaknesses()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"fsync", "full_page_writes", "synchronous_commit"})
  void each_setting_that_weakens_a_guarantee_is_reported(String setting) {
    set(setting, "off");
    try {
      assertThat(weaknesses())
          .singleElement()
          .satisfies(weakness -> {
            assertThat(weakness.setting()).isEqualTo(setting);
            assertThat(weakness.found()).isEqualTo("off");
            assertThat(weakness.wanted()).isEqualTo("on");
          });
    } finally {
      reset(setting);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"remote_apply", "remote_write", "local"})
  void a_commit_that_waits_for_a_disk_is_no_weakness(String value) {
    set("synchronous_commit", value);
    try {
      assertThat(weaknesses()).isEmpty();
    } finally {
      reset("synchronous_commit");
    }
  }

  @ParameterizedTest
  @CsvSource({"local, 1", "remote_write, 0"})
  void with_standbys_a_commit_that_does_not_wait_for_them_is_reported(String value, int found) {
    set("synchronous_commit", value);
    set(STANDBYS, "elsewhere");
    try {
      assertThat(weaknesses()).hasSize(found);
    } finally {
      reset(STANDBYS);
      reset("synchronous_commit");
    }
  }

  @Test
  void an_unreachable_server_is_an_exception() {
    server.kill();
    try {
      assertThatThrownBy(this::weaknesses).isInstanceOf(DatabaseUnavailableException.class);
    } finally {
      server.restart();
    }
  }

  /** As behind a pooler that shares sessions among clients. */
  @Test
  void sessions_without_limits_are_reported() {
    assertThat(weaknesses("SELECT 1"))
        .extracting(Weakness::setting)
        .containsExactlyInAnyOrder(
            "idle_in_transaction_session_timeout", "lock_timeout", "statement_timeout");
  }

  private List<Weakness> weaknesses() {
    return weaknesses(SessionSettings.statement(TestDatabase.LIMITS));
  }

  private List<Weakness> weaknesses(String sessionsBeginWith) {
    try (var pool = new HikariDataSource()) {
      pool.setJdbcUrl(server.jdbcUrl());
      pool.setUsername(server.user());
      pool.setPassword(server.password());
      pool.setConnectionInitSql(sessionsBeginWith);
      pool.setInitializationFailTimeout(-1);
      pool.setConnectionTimeout(CONNECT_LIMIT_MILLIS);
      return new PostgresServerSettings(new Database(DSL.using(pool, SQLDialect.POSTGRES)))
          .weaknesses();
    }
  }

  private void set(String setting, String value) {
    alter("SET %s = '%s'".formatted(setting, value));
    await(setting, value);
  }

  private void reset(String setting) {
    alter("RESET " + setting);
    await(setting, setting.equals(STANDBYS) ? "" : "on");
  }

  private void alter(String clause) {
    try (var connection = server.connect();
        var statement = connection.createStatement()) {
      statement.execute("ALTER SYSTEM " + clause);
      statement.execute("SELECT pg_reload_conf()");
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Waits for the server, which reloads its files asynchronously; new sessions have the new value.
   */
  private void await(String setting, String value) {
    long end = System.nanoTime() + RELOAD_LIMIT.toNanos();
    while (!value.equals(shown(setting))) {
      if (System.nanoTime() - end > 0) {
        throw new IllegalStateException("%s is not %s".formatted(setting, value));
      }
      Thread.onSpinWait();
    }
  }

  private String shown(String setting) {
    try (var connection = server.connect();
        var statement = connection.createStatement();
        var shown = statement.executeQuery("SHOW " + setting)) {
      shown.next();
      return shown.getString(1);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
