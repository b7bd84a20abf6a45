package io.firstcome.benchmark.bench.row;

import com.zaxxer.hikari.HikariDataSource;
import io.firstcome.adapter.persistence.PersistenceAdapterConfiguration;
import io.firstcome.adapter.persistence.session.PersistenceLimits;
import io.firstcome.devservices.server.PostgresServer;
import io.firstcome.domain.usercoupon.AcceptedClaim;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Function;
import javax.sql.DataSource;

/**
 * Rows in the schema of before coupons had numbers: ids and codes as texts, six indexes, a foreign
 * key, and events that repeat what the rows contain.
 */
public final class FormerRows implements RowWriter {

  private static final String HOLD_EPOCH =
      "SELECT epoch FROM stock_partition WHERE partition_id = 0 FOR SHARE";

  private final HikariDataSource pool;
  private final String insert = resource("former-insert.sql");

  private FormerRows(HikariDataSource pool) {
    this.pool = pool;
  }

  public static FormerRows create(PostgresServer postgres) throws SQLException {
    var pool =
        RowPool.create(
            postgres,
            "former_rows",
            PersistenceAdapterConfiguration.sessionSettings(PersistenceLimits.defaults()));
    try (Connection connection = pool.getConnection();
        var schema = connection.createStatement()) {
      schema.execute(resource("former-schema.sql"));
    }
    return new FormerRows(pool);
  }

  @Override
  public DataSource dataSource() {
    return pool;
  }

  @Override
  public void write(List<AcceptedClaim> claims) throws SQLException {
    try (Connection connection = pool.getConnection()) {
      connection.setAutoCommit(false);
      try (PreparedStatement hold = connection.prepareStatement(HOLD_EPOCH);
          PreparedStatement statement = connection.prepareStatement(insert)) {
        hold.executeQuery().close();
        setArray(statement, 1, "text", claims, claim -> claim.couponId().value());
        setArray(statement, 2, "integer", claims, claim -> claim.partition().number());
        setArray(statement, 3, "text", claims, claim -> claim.userId().value());
        setArray(statement, 4, "integer", claims, claim -> claim.slot().number());
        setArray(statement, 5, "timestamptz", claims, claim -> claim.acceptedAt().toString());
        setArray(statement, 6, "text", claims, claim -> claim.identity().id().toString());
        setArray(statement, 7, "text", claims, claim -> claim.identity().code().value());
        statement.executeQuery().close();
      }
      connection.commit();
    }
  }

  private static void setArray(
      PreparedStatement statement,
      int index,
      String type,
      List<AcceptedClaim> claims,
      Function<AcceptedClaim, Object> member)
      throws SQLException {
    Array array =
        statement.getConnection().createArrayOf(type, claims.stream().map(member).toArray());
    statement.setArray(index, array);
    array.free();
  }

  private static String resource(String name) {
    try (var resource = FormerRows.class.getResourceAsStream(name)) {
      if (resource == null) {
        throw new IllegalStateException(name + " is missing");
      }
      return new String(resource.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    pool.close();
  }
}
