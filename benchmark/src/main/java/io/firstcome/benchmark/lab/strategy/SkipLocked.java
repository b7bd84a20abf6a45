package io.firstcome.benchmark.lab.strategy;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The table as a queue: a row for each slot is created in advance, and a claim takes the first free
 * one that no other transaction has locked, with FOR UPDATE SKIP LOCKED. A unique index allows one
 * row per user.
 *
 * <p>Right: claims do not wait for each other, so their commits are flushed together; no slot is
 * allocated twice. Wrong: one transaction per claim; rows that are allocated and not yet vacuumed
 * are in the index before the free ones. A claim that finds all of the last rows locked must retry,
 * since one of them becomes free again if its claim is of a user who already has a coupon.
 */
final class SkipLocked implements Strategy {

  private static final String SLOT_ROWS =
      """
      DROP TABLE IF EXISTS piece;
      CREATE TABLE piece (slot integer PRIMARY KEY, user_id text COLLATE "C") WITH (fillfactor = 50);
      CREATE UNIQUE INDEX piece_one_per_user ON piece (user_id) WHERE user_id IS NOT NULL;
      CREATE INDEX piece_free ON piece (slot) WHERE user_id IS NULL;
      """;
  private static final String HAS = "SELECT 1 FROM piece WHERE user_id = ?";
  private static final String TAKE =
      """
      UPDATE piece SET user_id = ? WHERE slot = (
        SELECT slot FROM piece WHERE user_id IS NULL ORDER BY slot LIMIT 1 FOR UPDATE SKIP LOCKED)
      """;
  private static final String ANY_LEFT = "SELECT 1 FROM piece WHERE user_id IS NULL LIMIT 1";
  private static final String OWNERS = "SELECT user_id FROM piece WHERE user_id IS NOT NULL";

  /** Two seconds with the pauses: on a busy machine a commit takes a tenth of a second. */
  private static final int ATTEMPTS = 400;

  private static final Duration ATTEMPT_PAUSE = Duration.ofMillis(5);

  private final Rows rows;
  private final int quantity;

  SkipLocked(Stores stores, int quantity) {
    this.rows = new Rows(stores);
    this.quantity = quantity;
  }

  @Override
  public void prepare() throws SQLException {
    rows.execute(
        SLOT_ROWS + "INSERT INTO piece SELECT generate_series(1, " + quantity + "); ANALYZE piece");
  }

  @Override
  public StrategyAnswer claim(String user) throws SQLException, InterruptedException {
    for (int i = 0; i < ATTEMPTS; i++) {
      var answer = attempt(user);
      if (answer.isPresent()) {
        return answer.get();
      }
      Thread.sleep(ATTEMPT_PAUSE);
    }
    throw new IllegalStateException("all free slots stayed locked by other claims");
  }

  /** Returns empty if slots are left and all of them are locked. */
  private Optional<StrategyAnswer> attempt(String user) throws SQLException {
    try (var connection = rows.connection()) {
      // So that a user who already has a slot does not lock another one.
      if (found(connection, HAS, user)) {
        return Optional.of(StrategyAnswer.ALREADY);
      }
      try (var statement = connection.prepareStatement(TAKE)) {
        statement.setString(1, user);
        if (statement.executeUpdate() == 1) {
          return Optional.of(StrategyAnswer.WON);
        }
      }
      return found(connection, ANY_LEFT) ? Optional.empty() : Optional.of(StrategyAnswer.SOLD_OUT);
    } catch (SQLException e) {
      if (Rows.UNIQUE_VIOLATION.equals(e.getSQLState())) {
        return Optional.of(StrategyAnswer.ALREADY);
      }
      throw e;
    }
  }

  private static boolean found(Connection connection, String query, String... values)
      throws SQLException {
    try (var statement = connection.prepareStatement(query)) {
      for (int i = 0; i < values.length; i++) {
        statement.setString(i + 1, values[i]);
      }
      try (var found = statement.executeQuery()) {
        return found.next();
      }
    }
  }

  @Override
  public List<String> owners() throws SQLException {
    try (var connection = rows.connection();
        var statement = connection.prepareStatement(OWNERS);
        var found = statement.executeQuery()) {
      var owners = new ArrayList<String>();
      while (found.next()) {
        owners.add(found.getString(1));
      }
      return owners;
    }
  }

  @Override
  public void close() {
    rows.close();
  }
}
