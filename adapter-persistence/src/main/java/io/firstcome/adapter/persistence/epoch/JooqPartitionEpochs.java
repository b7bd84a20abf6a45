package io.firstcome.adapter.persistence.epoch;

import static io.firstcome.adapter.persistence.generated.Tables.STOCK_PARTITION;

import io.firstcome.adapter.persistence.session.Database;
import io.firstcome.adapter.persistence.session.DatabaseErrors;
import io.firstcome.adapter.persistence.session.PersistenceLimits;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.issuance.Epoch;
import io.firstcome.domain.port.PartitionEpochs;
import io.firstcome.domain.port.ServerUnavailableException.Effect;
import java.sql.SQLException;
import java.util.Optional;
import javax.sql.DataSource;
import org.jooq.exception.DataAccessException;

/** {@link PartitionEpochs} in PostgreSQL. */
public final class JooqPartitionEpochs implements PartitionEpochs {

  private final Database database;
  private final DataSource dataSource;
  private final PersistenceLimits limits;

  public JooqPartitionEpochs(Database database, DataSource dataSource, PersistenceLimits limits) {
    this.database = database;
    this.dataSource = dataSource;
    this.limits = limits;
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
      Epochs.waitForHolders(dsl, partition);
      return dsl.update(STOCK_PARTITION)
              .set(STOCK_PARTITION.EPOCH, epoch.number())
              .where(STOCK_PARTITION.PARTITION_ID.eq(partition.number()))
              .and(STOCK_PARTITION.EPOCH.lt(epoch.number()))
              .execute()
          == 1;
    });
  }

  /** The recovery lease is a lock of a separate database session, so it ends with that session. */
  @Override
  public Optional<Lease> tryAcquireLease(Partition partition) {
    try {
      var connection = dataSource.getConnection();
      Optional<Lease> lease = Optional.empty();
      try {
        lease = RecoveryLease.tryToTake(connection, partition, limits);
        return lease;
      } finally {
        if (lease.isEmpty()) {
          connection.close();
        }
      }
    } catch (SQLException e) {
      throw translated(e);
    }
  }

  static RuntimeException translated(SQLException e) {
    return DatabaseErrors.translate(
        new DataAccessException("the recovery lease failed", e), Effect.UNKNOWN);
  }
}
