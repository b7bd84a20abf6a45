package io.firstcome.contracts.database;

/** The in-memory database against {@link RehearsalsContract}. */
class InMemoryRehearsalsTest extends RehearsalsContract {

  @Override
  protected DatabasePorts emptyDatabase() {
    return new InMemoryDatabase().ports();
  }
}
