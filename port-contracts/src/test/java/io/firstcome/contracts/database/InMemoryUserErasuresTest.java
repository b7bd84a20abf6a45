package io.firstcome.contracts.database;

/** The database in memory against {@link UserErasuresContract}. */
class InMemoryUserErasuresTest extends UserErasuresContract {

  @Override
  protected DatabasePorts emptyDatabase() {
    return new InMemoryDatabase().ports();
  }
}
