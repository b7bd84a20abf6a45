package io.firstcome.benchmark.lab.strategy;

import java.sql.SQLException;
import java.util.List;

/**
 * Check, then act: in one transaction count the rows, and insert one if that is fewer than there
 * are pieces. What everybody writes first, and what any test with one caller finds correct.
 *
 * <p>Right: it is durable, and an index serves both questions. Wrong: under READ COMMITTED nothing
 * keeps what was counted from changing before the insert, so callers that count together pass
 * together, and so do two requests of one user.
 */
final class CheckThenAct implements Strategy {

  private final Rows rows;
  private final int pieces;

  CheckThenAct(Stores stores, int pieces) {
    this.rows = new Rows(stores);
    this.pieces = pieces;
  }

  @Override
  public void prepare() throws SQLException {
    rows.createWithoutConstraint();
  }

  @Override
  public Answer claim(String user) throws SQLException {
    try (var connection = rows.connection()) {
      connection.setAutoCommit(false);
      var answer = Answer.WON;
      if (Rows.has(connection, user)) {
        answer = Answer.ALREADY;
      } else if (Rows.count(connection) >= pieces) {
        answer = Answer.SOLD_OUT;
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
