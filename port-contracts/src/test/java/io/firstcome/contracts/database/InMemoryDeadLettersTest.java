package io.firstcome.contracts.database;

/** The database in memory against {@link DeadLettersContract}. */
class InMemoryDeadLettersTest extends DeadLettersContract {

  @Override
  protected DatabasePorts emptyDatabase() {
    return new InMemoryDatabase().ports();
  }
}
