package io.firstcome.benchmark.lab.strategy;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** The table of issued coupons, with a connection pool. */
public final class Rows implements WinRows {

  /** SQLSTATE of a unique violation. */
  static final String UNIQUE_VIOLATION = "23505";

  private static final String TABLE =
      """
      DROP TABLE IF EXISTS issued;
      CREATE TABLE issued (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        coupon_id integer NOT NULL,
        user_id text COLLATE "C" NOT NULL,
        issued_at timestamptz NOT NULL DEFAULT now());
      """;
  private static final String ONE_PER_USER =
      "CREATE UNIQUE INDEX issued_one_per_user ON issued (coupon_id, user_id)";
  private static final String BY_USER =
      "CREATE INDEX issued_by_user ON issued (coupon_id, user_id)";

  private static final String INSERT = "INSERT INTO issued (coupon_id, user_id) VALUES (1, ?)";
  private static final String INSERT_ALL =
      "INSERT INTO issued (coupon_id, user_id) SELECT 1, unnest(?::text[])"
          + " ON CONFLICT (coupon_id, user_id) DO NOTHING";
  private static final String OWNERS = "SELECT user_id FROM issued WHERE coupon_id = 1";
  private static final String COUNT = "SELECT count(*) FROM issued WHERE coupon_id = 1";
  private static final String HAS = "SELECT 1 FROM issued WHERE coupon_id = 1 AND user_id = ?";

  private final HikariDataSource pool;

  /** Opens the pool. */
  public Rows(Stores stores) {
    pool = stores.pool();
  }

  /** Drops and creates the table, with at most one row per user. */
  @Override
  public void create() throws SQLException {
    execute(TABLE + ONE_PER_USER);
  }

  /** Drops and creates the table, without a constraint other than its primary key. */
  public void createWithoutConstraint() throws SQLException {
    execute(TABLE + BY_USER);
  }

  void execute(String sql) throws SQLException {
    try (var connection = pool.getConnection();
        var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** A connection of the pool; the caller closes it. */
  Connection connection() throws SQLException {
    return pool.getConnection();
  }

  /** Inserts a row for the user; returns false if there is one already. */
  public boolean insert(String user) throws SQLException {
    try (var connection = pool.getConnection()) {
      insert(connection, user);
      return true;
    } catch (SQLException e) {
      if (UNIQUE_VIOLATION.equals(e.getSQLState())) {
        return false;
      }
      throw e;
    }
  }

  static void insert(Connection connection, String user) throws SQLException {
    try (var statement = connection.prepareStatement(INSERT)) {
      statement.setString(1, user);
      statement.executeUpdate();
    }
  }

  /** Inserts a row for each user without one, in one transaction. */
  @Override
  public void write(List<String> users) throws SQLException {
    try (var connection = pool.getConnection();
        var statement = connection.prepareStatement(INSERT_ALL)) {
      statement.setArray(1, connection.createArrayOf("text", users.toArray()));
      statement.executeUpdate();
    }
  }

  /** Whether the user has a row. */
  public boolean has(String user) throws SQLException {
    try (var connection = pool.getConnection()) {
      return has(connection, user);
    }
  }

  static boolean has(Connection connection, String user) throws SQLException {
    try (var statement = connection.prepareStatement(HAS)) {
      statement.setString(1, user);
      try (var found = statement.executeQuery()) {
        return found.next();
      }
    }
  }

  static long count(Connection connection) throws SQLException {
    try (var statement = connection.prepareStatement(COUNT)) {
      return onlyLong(statement);
    }
  }

  /** The number of rows. */
  public long count() throws SQLException {
    try (var connection = pool.getConnection()) {
      return count(connection);
    }
  }

  private static long onlyLong(PreparedStatement statement) throws SQLException {
    try (var result = statement.executeQuery()) {
      result.next();
      return result.getLong(1);
    }
  }

  /** The owner of each row; a user with several rows is in the list several times. */
  @Override
  public List<String> owners() throws SQLException {
    try (var connection = pool.getConnection();
        var statement = connection.prepareStatement(OWNERS);
        ResultSet rows = statement.executeQuery()) {
      var owners = new ArrayList<String>();
      while (rows.next()) {
        owners.add(rows.getString(1));
      }
      return owners;
    }
  }

  @Override
  public void close() {
    pool.close();
  }
}
