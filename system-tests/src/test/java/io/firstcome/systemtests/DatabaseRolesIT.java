package io.firstcome.systemtests;

import static io.firstcome.systemtests.kit.CouponRequests.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.firstcome.devservices.process.Ports;
import io.firstcome.systemtests.kit.World;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The privileges of the role with which the service of all system tests runs. */
class DatabaseRolesIT {

  private static final String INSUFFICIENT_PRIVILEGE = "42501";

  private static final List<String> FORBIDDEN =
      List.of(
          "DROP TABLE user_coupon",
          "ALTER TABLE user_coupon DROP CONSTRAINT user_coupon_one_per_user",
          "TRUNCATE user_coupon",
          "CREATE TABLE other (id int)",
          "CREATE TEMPORARY TABLE other (id int)",
          "DELETE FROM audit_entry",
          "UPDATE audit_entry SET actor_name = 'nobody'",
          "UPDATE flyway_schema_history SET success = false",
          "SELECT * FROM pg_authid",
          "CREATE ROLE other",
          "COPY user_coupon TO PROGRAM 'cat'",
          "ALTER SYSTEM SET fsync = off");

  private static final Path ROLES = Path.of("..", "deploy", "postgres-roles.sql");
  private static final Duration START_LIMIT = Duration.ofMinutes(3);

  private final World world = World.get();

  private Connection asService() throws SQLException {
    var postgres = world.postgres();
    return DriverManager.getConnection(
        postgres.jdbcUrl(), postgres.serviceUser(), postgres.password());
  }

  @Test
  void the_service_has_no_session_of_another_role() throws SQLException {
    world.define(aCoupon());
    try (var connection = world.postgres().connect();
        var users =
            connection
                .createStatement()
                .executeQuery(
                    "SELECT DISTINCT usename FROM pg_stat_activity"
                        + " WHERE application_name = 'firstcome'")) {
      assertThat(users.next()).isTrue();
      assertThat(users.getString(1)).isEqualTo("firstcome_service");
      assertThat(users.next()).isFalse();
    }
  }

  @Test
  void the_service_can_change_neither_tables_nor_the_audit_trail() throws SQLException {
    world.define(aCoupon());
    try (var connection = asService();
        var attempt = connection.createStatement()) {
      assertThat(FORBIDDEN)
          .allSatisfy(statement ->
              assertThatExceptionOfType(SQLException.class)
                  .isThrownBy(() -> attempt.execute(statement))
                  .extracting(SQLException::getSQLState)
                  .isEqualTo(INSUFFICIENT_PRIVILEGE));
    }
  }

  @Test
  void a_job_migrates_as_the_owner_and_instances_start_without_the_owners_password()
      throws IOException, SQLException {
    var url = otherDatabase();
    var nowhere = Integer.toString(Ports.free());
    var job =
        Map.of(
            "JAVA_TOOL_OPTIONS", "-Dspring.context.exit=onRefresh",
            "SPRING_DATASOURCE_URL", url,
            "SPRING_DATA_REDIS_PORT", nowhere,
            "SPRING_RABBITMQ_PORT", nowhere);
    try (var migration = world.start("migration", job)) {
      assertThat(migration.awaitEnd(START_LIMIT)).isZero();
    }
    var withoutOwner =
        Map.of(
            "SPRING_DATASOURCE_URL", url,
            "SPRING_FLYWAY_ENABLED", "false",
            "SPRING_FLYWAY_USER", "",
            "SPRING_FLYWAY_PASSWORD", "",
            // Two databases must not share one Redis.
            "FIRSTCOME_STOCK", "postgres");
    try (var instance = world.start("migrated-apart", withoutOwner)) {
      World.ready(instance);
    }
  }

  /** An empty database with the roles of the deployment. */
  private String otherDatabase() throws IOException, SQLException {
    var postgres = world.postgres();
    var url = postgres.createDatabase("migrated_apart");
    try (var connection = DriverManager.getConnection(url, postgres.user(), postgres.password());
        var statement = connection.createStatement()) {
      statement.execute(Files.readString(ROLES));
    }
    return url;
  }
}
