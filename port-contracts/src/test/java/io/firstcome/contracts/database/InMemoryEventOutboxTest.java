package io.firstcome.contracts.database;

/** The database in memory against {@link EventOutboxContract}. */
class InMemoryEventOutboxTest extends EventOutboxContract {

  @Override
  protected DatabasePorts emptyDatabase() {
    return new InMemoryDatabase().ports();
  }
}
