package io.firstcome.benchmark.lab.strategy;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/**
 * Pessimistic locking: SELECT … FOR UPDATE on the coupon's row, check, insert, increment the
 * counter, commit.
 *
 * <p>Right: it is exact after any kill, since counter and row are one transaction. Wrong: every win
 * holds the lock during a flush to disk, so the disk's sequential commits bound the wins per
 * second, and the other claims wait, each with a connection of the pool. In this version, users who
 * have a coupon, and all users after the last slot, are answered without the lock.
 */
final class RowLock implements Strategy {

  private static final String COUPON =
      """
      DROP TABLE IF EXISTS lab_coupon;
      CREATE TABLE lab_coupon (id integer PRIMARY KEY, total integer NOT NULL, given integer NOT NULL)
        WITH (fillfactor = 10);
      """;
  private static final String LEFT = "SELECT total - given FROM lab_coupon WHERE id = 1";
  private static final String COUNT_UP = "UPDATE lab_coupon SET given = given + 1 WHERE id = 1";

  /** How the lock is taken. */
  enum Wait {
    FOR_UPDATE(" FOR UPDATE"),
    FOR_UPDATE_NOWAIT(" FOR UPDATE NOWAIT");

    private final String clause;

    Wait(String clause) {
      this.clause = clause;
    }
  }

  private final Rows rows;
  private final int quantity;
  private final String lock;

  RowLock(Stores stores, int quantity, Wait wait) {
    this.rows = new Rows(stores);
    this.quantity = quantity;
    this.lock = LEFT + wait.clause;
  }

  @Override
  public void prepare() throws SQLException {
    rows.create();
    rows.execute(COUPON + "INSERT INTO lab_coupon VALUES (1, " + quantity + ", 0)");
  }

  @Override
  public StrategyAnswer claim(String user) throws SQLException {
    try (var connection = rows.connection()) {
      if (Rows.has(connection, user)) {
        return StrategyAnswer.ALREADY;
      }
      if (left(connection, LEFT) == 0) {
        return StrategyAnswer.SOLD_OUT;
      }
      connection.setAutoCommit(false);
      try {
        var answer = locked(connection, user);
        connection.commit();
        return answer;
      } catch (SQLException e) {
        connection.rollback();
        throw e;
      }
    }
  }

  private StrategyAnswer locked(Connection connection, String user) throws SQLException {
    int left = left(connection, lock);
    if (Rows.has(connection, user)) {
      return StrategyAnswer.ALREADY;
    }
    if (left == 0) {
      return StrategyAnswer.SOLD_OUT;
    }
    Rows.insert(connection, user);
    try (var statement = connection.prepareStatement(COUNT_UP)) {
      statement.executeUpdate();
    }
    return StrategyAnswer.WON;
  }

  private static int left(Connection connection, String query) throws SQLException {
    try (var statement = connection.prepareStatement(query);
        var result = statement.executeQuery()) {
      result.next();
      return result.getInt(1);
    }
  }

  @Override
  public List<String> owners() throws SQLException {
    return rows.owners();
  }

  @Override
  public void close() {
    rows.close();
  }
}
