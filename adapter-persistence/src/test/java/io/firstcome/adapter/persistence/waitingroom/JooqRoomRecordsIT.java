package io.firstcome.adapter.persistence.waitingroom;

import io.firstcome.adapter.persistence.TestDatabase;
import io.firstcome.contracts.database.DatabasePorts;
import io.firstcome.contracts.database.RoomRecordsContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;

/** {@link JooqRoomRecords} against its contract. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class JooqRoomRecordsIT extends RoomRecordsContract {

  private final TestDatabase database = new TestDatabase(JooqRoomRecordsIT.class);

  @Override
  protected DatabasePorts emptyDatabase() {
    return database.empty();
  }

  @AfterAll
  void close() {
    database.close();
  }
}
