package io.firstcome.benchmark.lab.strategy;

import java.sql.SQLException;
import java.util.List;

/**
 * Check, then act: one transaction counts the rows, and inserts one if there are fewer than slots.
 * A common first version, correct in every test with one caller.
 *
 * <p>Right: it is durable, and an index serves both queries. Wrong: under READ COMMITTED the count
 * can change before the insert, so concurrent callers that read the same count all insert, and so
 * do two requests of one user.
 */
final class CheckThenAct implements Strategy {

  private final Rows rows;
  private final int quantity;

  CheckThenAct(Stores stores, int quantity) {
    this.rows = new Rows(stores);
    this.quantity = quantity;
  }

  @Override
  public void prepare() throws SQLException {
    rows.createWithoutConstraint();
  }

  @Override
  public StrategyAnswer claim(String user) throws SQLException {
    try (var connection = rows.connection()) {
      connection.setAutoCommit(false);
      var answer = StrategyAnswer.WON;
      if (Rows.has(connection, user)) {
        answer = StrategyAnswer.ALREADY;
      } else if (Rows.count(connection) >= quantity) {
        answer = StrategyAnswer.SOLD_OUT;
      } else {
        Rows.insert(connection, user);
      }
      connection.commit();
      return answer;
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
