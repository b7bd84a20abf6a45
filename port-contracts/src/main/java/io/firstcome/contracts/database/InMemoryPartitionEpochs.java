package io.firstcome.contracts.database;

import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.issuance.Epoch;
import io.firstcome.domain.port.PartitionEpochs;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/** {@link PartitionEpochs} in memory. */
final class InMemoryPartitionEpochs implements PartitionEpochs {

  private final InMemoryDatabase database;
  private final InMemoryTables tables;

  InMemoryPartitionEpochs(InMemoryDatabase database, InMemoryTables tables) {
    this.database = database;
    this.tables = tables;
  }

  @Override
  public Epoch current(Partition partition) {
    return database.transaction(() -> tables.epoch(partition));
  }

  @Override
  public boolean raise(Partition partition, Epoch epoch) {
    return database.transaction(() -> {
      if (!epoch.isAfter(tables.epoch(partition))) {
        return false;
      }
      tables.epochs.put(partition, epoch);
      return true;
    });
  }

  @Override
  public Optional<Lease> tryAcquireLease(Partition partition) {
    return database.transaction(() ->
        tables.recovering.add(partition) ? Optional.of(leaseOf(partition)) : Optional.empty());
  }

  private Lease leaseOf(Partition partition) {
    // Closing twice must not end the lease of the next holder.
    var held = new AtomicBoolean(true);
    return () -> {
      if (held.getAndSet(false)) {
        database.locked(() -> tables.recovering.remove(partition));
      }
    };
  }
}
