package io.firstcome.systemtests;

import static io.firstcome.systemtests.kit.CouponRequests.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.devservices.service.ServiceProcess;
import io.firstcome.systemtests.kit.Await;
import io.firstcome.systemtests.kit.Backlog;
import io.firstcome.systemtests.kit.Crowd;
import io.firstcome.systemtests.kit.Fault;
import io.firstcome.systemtests.kit.QuietLogs;
import io.firstcome.systemtests.kit.Scenario;
import io.firstcome.systemtests.kit.Users;
import io.firstcome.systemtests.kit.World;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * An instance of a newer release starts beside a running one, and its migration needs an exclusive
 * lock on the coupon table. Running instances wait for it only for seconds.
 */
@Tag("faults")
@ExtendWith(QuietLogs.class)
class MigrationFaultIT {

  /** A migration waits three seconds for a lock, and may be idle in a transaction for ten. */
  private static final Duration CONTINUES_WITHIN = Duration.ofSeconds(15);

  private static final Duration START_LIMIT = Duration.ofSeconds(60);
  private static final int QUANTITY = 3_000;

  /** More users than claim before the test ends the crowd. */
  private static final int ANY_NUMBER = 500_000;

  private static final int MANY = 2 * QUANTITY;

  private final World world = World.get();

  @TempDir private Path migrations;

  @Scenario(
      number = "38h",
      fault =
          "an instance of a new release is frozen (SIGSTOP) in a migration that has locked a table",
      guards = "migration-idle-limit")
  void the_table_lock_of_a_frozen_migration_is_released(Fault fault) throws IOException {
    var coupon = claimedCoupon();
    try (var migrating = startWithMigration()) {
      awaitMigration("state = 'active' AND query LIKE '%pg_sleep%'");
      var crowd = world.crowd(coupon, Users.some(ANY_NUMBER));

      fault.strike(crowd, migrating::pause);
      fault.healsAutomatically();
      assertContinues(crowd);
      migrating.resume();

      assertThat(migrating.awaitEnd(START_LIMIT)).isNotZero();
      assertThat(fault.exactInOrder(world, coupon).liveRows()).isEqualTo(QUANTITY);
    }
  }

  @Scenario(
      number = "38i",
      fault = "a migration of a new release waits for a lock on a table that a backup reads",
      guards = "migration-lock-limit")
  void a_migration_that_waits_for_a_table_lock_blocks_no_running_instance(Fault fault)
      throws IOException, SQLException {
    var coupon = claimedCoupon();
    try (Connection backup = world.postgres().connect();
        var reading = backup.createStatement()) {
      backup.setAutoCommit(false);
      reading.execute("SELECT FROM coupon LIMIT 1");
      try (var migrating = startWithMigration()) {
        awaitMigration("wait_event_type = 'Lock' AND query LIKE '%tried_by_a_test%'");
        var crowd = world.crowd(coupon, Users.some(ANY_NUMBER));

        fault.strike(crowd, () -> {});
        fault.healsAutomatically();
        assertContinues(crowd);

        assertThat(migrating.awaitEnd(START_LIMIT)).isNotZero();
        assertThat(fault.exactInOrder(world, coupon).liveRows()).isEqualTo(QUANTITY);
      }
    }
  }

  /**
   * The migration's own connection is active meanwhile; the connection that holds Flyway's lock
   * must not be ended as idle either.
   */
  @Test
  void a_migration_may_take_longer_than_its_limits() throws Exception {
    try (var migrating = start("SELECT pg_sleep(11);")) {
      World.ready(migrating);
    } finally {
      execute("DELETE FROM flyway_schema_history WHERE version = '9001'");
    }
  }

  private void execute(String sql) throws SQLException {
    try (Connection connection = world.postgres().connect();
        var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** A coupon that the instance has already read from the database. */
  private String claimedCoupon() {
    var coupon = world.define(aCoupon().withTotal(QUANTITY));
    world.crowd(coupon, Users.some(10)).join();
    return coupon;
  }

  private ServiceProcess startWithMigration() throws IOException {
    return start("ALTER TABLE coupon ADD COLUMN tried_by_a_test integer; SELECT pg_sleep(3);");
  }

  private ServiceProcess start(String migration) throws IOException {
    Files.writeString(migrations.resolve("V9001__tried_by_a_test.sql"), migration);
    var locations = "classpath:db/migration,filesystem:" + migrations;
    return world.start("migrating", Map.of("SPRING_FLYWAY_LOCATIONS", locations));
  }

  private void awaitMigration(String condition) {
    Await.until(START_LIMIT, "a migration where " + condition, () -> isMigrating(condition));
  }

  private boolean isMigrating(String condition) {
    try (Connection connection = world.postgres().connect();
        var query = connection.createStatement();
        var found =
            query.executeQuery(
                "SELECT FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND " + condition)) {
      return found.next();
    } catch (SQLException e) {
      throw new IllegalStateException("cannot query pg_stat_activity", e);
    }
  }

  private void assertContinues(Crowd crowd) {
    crowd.endsAfter(MANY).join();
    Await.until(
        CONTINUES_WITHIN,
        () -> "all rows written: " + backlog().counts(),
        () -> backlog().violations().isEmpty());
  }

  private Backlog backlog() {
    return Backlog.read(world.redis(), world.amqp());
  }
}
