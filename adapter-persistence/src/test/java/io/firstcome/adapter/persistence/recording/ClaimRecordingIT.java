package io.firstcome.adapter.persistence.recording;

import io.firstcome.adapter.persistence.TestDatabase;
import io.firstcome.contracts.database.ClaimRecordingContract;
import io.firstcome.contracts.database.DatabasePorts;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;

/** {@link ClaimRecording} against the contract of recording. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ClaimRecordingIT extends ClaimRecordingContract {

  private final TestDatabase database = new TestDatabase(ClaimRecordingIT.class);

  @Override
  protected DatabasePorts emptyDatabase() {
    return database.empty();
  }

  @AfterAll
  void close() {
    database.close();
  }
}
