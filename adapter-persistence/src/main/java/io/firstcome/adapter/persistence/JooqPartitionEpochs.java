package io.firstcome.adapter.persistence;

import static io.firstcome.adapter.persistence.generated.Tables.STOCK_PARTITION;

import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.issuance.Epoch;
import io.firstcome.domain.port.PartitionEpochs;
import io.firstcome.domain.port.ServerUnavailableException.Effect;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Optional;
import javax.sql.DataSource;
import org.jooq.exception.DataAccessException;

/** {@link PartitionEpochs} in PostgreSQL. */
final class JooqPartitionEpochs implements PartitionEpochs {

  /**
   * The first of the two keys of the advisory locks of recoveries, the partition being the second:
   * "fcre" in ASCII. Whatever else takes advisory locks in this database takes others.
   */
  static final int RECOVERY_LOCKS = 0x66637265;

  private final Database database;
  private final DataSource dataSource;

  JooqPartitionEpochs(Database database, DataSource dataSource) {
    this.database = database;
    this.dataSource = dataSource;
  }

  @Override
  public Epoch current(Partition partition) {
    return database.read(dsl ->
        dsl.select(STOCK_PARTITION.EPOCH)
            .from(STOCK_PARTITION)
            .where(STOCK_PARTITION.PARTITION_ID.eq(partition.number()))
            .fetchOptional(row -> new Epoch(row.value1()))
            .orElse(Epoch.NONE));
  }

  @Override
  public boolean raise(Partition partition, Epoch epoch) {
    return database.transaction(dsl -> {
      Epochs.ensure(dsl, partition);
      // Waits for every transaction that holds the row FOR SHARE, then looks at it again.
      return dsl.update(STOCK_PARTITION)
              .set(STOCK_PARTITION.EPOCH, epoch.number())
              .where(STOCK_PARTITION.PARTITION_ID.eq(partition.number()))
              .and(STOCK_PARTITION.EPOCH.lt(epoch.number()))
              .execute()
          == 1;
    });
  }

  /** The right is a lock of a database session of its own, so it ends with that session. */
  @Override
  public Optional<RecoveryRight> tryToRecover(Partition partition) {
    try {
      var connection = dataSource.getConnection();
      boolean locked = false;
      try {
        connection.setAutoCommit(true);
        locked = call(connection, "SELECT pg_try_advisory_lock(?, ?)", partition);
        return locked ? Optional.of(new SessionLock(connection, partition)) : Optional.empty();
      } finally {
        if (!locked) {
          connection.close();
        }
      }
    } catch (SQLException e) {
      throw translated(e);
    }
  }

  private static boolean call(Connection connection, String sql, Partition partition)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setInt(1, RECOVERY_LOCKS);
      statement.setInt(2, partition.number());
      try (var result = statement.executeQuery()) {
        return result.next() && result.getBoolean(1);
      }
    }
  }

  private static RuntimeException translated(SQLException e) {
    return DatabaseErrors.translate(
        new DataAccessException("the right to recover", e), Effect.UNKNOWN);
  }

  /** A lock that is held as long as the connection's session. */
  private record SessionLock(Connection connection, Partition partition) implements RecoveryRight {

    @Override
    public void close() {
      try (connection) {
        if (!connection.isClosed() && !isUnlocked()) {
          // A session that may still hold the lock must not go back to a pool.
          connection.abort(Runnable::run);
        }
      } catch (SQLException e) {
        throw translated(e);
      }
    }

    /** Whatever broke here: ending the session frees the lock as well. */
    private boolean isUnlocked() {
      try {
        return call(connection, "SELECT pg_advisory_unlock(?, ?)", partition);
      } catch (SQLException _) {
        return false;
      }
    }
  }
}
