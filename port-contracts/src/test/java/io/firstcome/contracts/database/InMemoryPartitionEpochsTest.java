package io.firstcome.contracts.database;

/** The database in memory against {@link PartitionEpochsContract}. */
class InMemoryPartitionEpochsTest extends PartitionEpochsContract {

  @Override
  protected DatabasePorts emptyDatabase() {
    return new InMemoryDatabase().ports();
  }
}
