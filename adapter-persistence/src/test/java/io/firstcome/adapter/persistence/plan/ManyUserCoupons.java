package io.firstcome.adapter.persistence.plan;

import io.firstcome.adapter.persistence.TestDatabase;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.issuance.UserId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * Fills a database with a given number of user coupons, which the server generates by {@code
 * many-user-coupons.sql}.
 *
 * @param rows user coupons in total, without a few that are second owners of a slot
 */
record ManyUserCoupons(long rows) {

  /** The coupon of every tenth user coupon. */
  static final CouponId WELCOME = new CouponId("WELCOME");

  /** The user with the most user coupons. */
  static final UserId COLLECTOR = new UserId("collector");

  /** A coupon of the collector with a long list of audit entries; {@link #QUIET} has none. */
  static final CouponId BUSY = new CouponId("SOLO-1");

  static final CouponId QUIET = new CouponId("SOLO-2");

  /** Archived coupons whose user coupons still have rows. */
  static final int ARCHIVED_WITH_ROWS = 2;

  /** The time at which all user coupons have been issued. */
  static final Instant TODAY = Instant.parse("2026-05-16T00:00:00Z");

  /** The number of events in each of the oldest rows of the outbox. */
  static final int EVENTS_PER_ROW = 200;

  /** The time at which a tenth of all user coupons are overdue, if no expiry is recorded before. */
  static final Instant MANY_ARE_OVERDUE = TODAY.plus(Duration.ofDays(75));

  /**
   * Makes filling faster and does not change the plans, which depend on the statistics and the size
   * of the tables. Indexes are built after all rows are inserted, foreign keys are not checked, and
   * the data would not survive a crash.
   */
  private static final List<String> BEFORE =
      List.of(
          "SET statement_timeout = 0",
          "SET transaction_timeout = 0",
          "SET synchronous_commit = off",
          "SET session_replication_role = replica",
          "SET maintenance_work_mem = '512MB'",
          "ALTER TABLE redemption SET UNLOGGED",
          "ALTER TABLE user_coupon SET UNLOGGED",
          "ALTER TABLE audit_entry SET UNLOGGED",
          "UPDATE pg_index SET indisready = false, indisvalid = false WHERE indrelid IN"
              + " ('user_coupon'::regclass, 'redemption'::regclass, 'audit_entry'::regclass)");

  /** Builds the indexes, vacuums as autovacuum would, and resets the settings of the session. */
  private static final List<String> AFTER =
      List.of(
          "REINDEX TABLE user_coupon",
          "REINDEX TABLE redemption",
          "REINDEX TABLE audit_entry",
          "VACUUM (ANALYZE)",
          "DISCARD ALL");

  int ofWelcome() {
    return Math.toIntExact((rows - ofCollector()) / 10);
  }

  int ofCollector() {
    return Math.toIntExact(Math.max(rows / 1_000, 300));
  }

  /** Fills the empty tables. */
  void fill(TestDatabase database) {
    try (Connection connection = database.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      for (var step : BEFORE) {
        statement.execute(step);
      }
      statement.execute("SET firstcome.rows = " + rows);
      statement.execute(script());
      for (var step : AFTER) {
        statement.execute(step);
      }
    } catch (SQLException e) {
      throw new IllegalStateException("the user coupons could not be created", e);
    }
  }

  private static String script() {
    try (var script = ManyUserCoupons.class.getResourceAsStream("many-user-coupons.sql")) {
      if (script == null) {
        throw new IllegalStateException("many-user-coupons.sql is missing");
      }
      return new String(script.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
