package io.firstcome.adapter.persistence;

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
 * A database with as many user coupons as one likes, made by the server itself; {@code
 * many-user-coupons.sql} says which ones.
 *
 * @param rows user coupons in all, without a few that are second owners of a slot
 */
record ManyUserCoupons(long rows) {

  /** Of which every tenth one is. */
  static final CouponId WELCOME = new CouponId("WELCOME");

  /** Who has more than anybody else. */
  static final UserId COLLECTOR = new UserId("collector");

  /** Two of the collector's, one with a long list of audit entries and one without any. */
  static final CouponId BUSY = new CouponId("SOLO-1");

  static final CouponId QUIET = new CouponId("SOLO-2");

  /** When all of them had been issued. */
  static final Instant TODAY = Instant.parse("2026-05-16T00:00:00Z");

  /** Of the outbox's oldest rows. */
  static final int EVENTS_PER_ROW = 200;

  /** By then a tenth of all are overdue, if nothing is recorded before. */
  static final Instant MANY_ARE_OVERDUE = TODAY.plus(Duration.ofDays(75));

  /**
   * What makes filling faster and leaves the plans as they are: they depend on the statistics and
   * the size of the tables. Indexes are built when all rows are there, foreign keys are not looked
   * at, and nothing of it outlives a crash.
   */
  private static final List<String> BEFORE =
      List.of(
          "SET synchronous_commit = off",
          "SET session_replication_role = replica",
          "SET maintenance_work_mem = '512MB'",
          "ALTER TABLE redemption SET UNLOGGED",
          "ALTER TABLE user_coupon SET UNLOGGED",
          "ALTER TABLE audit_entry SET UNLOGGED",
          "UPDATE pg_index SET indisready = false, indisvalid = false WHERE indrelid IN"
              + " ('user_coupon'::regclass, 'redemption'::regclass, 'audit_entry'::regclass)");

  /**
   * With what autovacuum would have done by now, and nothing of these settings left in the pool.
   */
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
      throw new IllegalStateException("the user coupons could not be made", e);
    }
  }

  private static String script() {
    try (var script = ManyUserCoupons.class.getResourceAsStream("many-user-coupons.sql")) {
      if (script == null) {
        throw new IllegalStateException("many-user-coupons.sql is not there");
      }
      return new String(script.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
