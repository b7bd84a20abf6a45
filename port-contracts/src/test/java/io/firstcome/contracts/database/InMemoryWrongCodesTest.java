package io.firstcome.contracts.database;

/** The database in memory against {@link WrongCodesContract}. */
class InMemoryWrongCodesTest extends WrongCodesContract {

  @Override
  protected DatabasePorts emptyDatabase() {
    return new InMemoryDatabase().ports();
  }
}
