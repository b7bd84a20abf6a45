package io.firstcome.benchmark.lab.strategy;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The table as a queue: a row for each piece is made before, and who asks takes the first free one
 * that nobody else is taking, with FOR UPDATE SKIP LOCKED. One row a user by a unique index.
 *
 * <p>Right: takers do not wait for each other, so their commits are flushed together; nothing can
 * be given twice. Wrong: still one transaction a claim; the rows taken but not yet vacuumed lie in
 * the index before the free ones. Who finds nothing while the last rows are being taken must look
 * again, since one of them may be put back by a taker who has a coupon already.
 */
final class SkipLocked implements Strategy {

  private static final String PIECES =
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

  /** For two seconds: on a busy machine a commit takes a tenth of one. */
  private static final int LOOKS = 400;

  private static final Duration LOOK_PAUSE = Duration.ofMillis(5);

  private final Rows rows;
  private final int pieces;

  SkipLocked(Stores stores, int pieces) {
    this.rows = new Rows(stores);
    this.pieces = pieces;
  }

  @Override
  public void prepare() throws SQLException {
    rows.execute(
        PIECES + "INSERT INTO piece SELECT generate_series(1, " + pieces + "); ANALYZE piece");
  }

  @Override
  public Answer claim(String user) throws SQLException, InterruptedException {
    for (int i = 0; i < LOOKS; i++) {
      var answer = look(user);
      if (answer.isPresent()) {
        return answer.get();
      }
      Thread.sleep(LOOK_PAUSE);
    }
    throw new IllegalStateException("the last pieces are being taken");
  }

  /** Empty where pieces are left and all of them are being taken. */
  private Optional<Answer> look(String user) throws SQLException {
    try (var connection = rows.connection()) {
      // Spares a piece the moment in which somebody who has one already holds it.
      if (found(connection, HAS, user)) {
        return Optional.of(Answer.ALREADY);
      }
      try (var statement = connection.prepareStatement(TAKE)) {
        statement.setString(1, user);
        if (statement.executeUpdate() == 1) {
          return Optional.of(Answer.WON);
        }
      }
      return found(connection, ANY_LEFT) ? Optional.empty() : Optional.of(Answer.SOLD_OUT);
    } catch (SQLException e) {
      if (Rows.UNIQUE_VIOLATION.equals(e.getSQLState())) {
        return Optional.of(Answer.ALREADY);
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
