package io.firstcome.contracts.database;

/** The in-memory database against {@link RoomRecordsContract}. */
class InMemoryRoomRecordsTest extends RoomRecordsContract {

  @Override
  protected DatabasePorts emptyDatabase() {
    return new InMemoryDatabase().ports();
  }
}
