package io.firstcome.contracts.database;

/** The database in memory against {@link SlotReturnsContract}. */
class InMemorySlotReturnsTest extends SlotReturnsContract {

  @Override
  protected DatabasePorts emptyDatabase() {
    return new InMemoryDatabase().ports();
  }
}
