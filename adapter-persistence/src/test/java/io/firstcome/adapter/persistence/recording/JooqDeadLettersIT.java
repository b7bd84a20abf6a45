package io.firstcome.adapter.persistence.recording;

import io.firstcome.adapter.persistence.TestDatabase;
import io.firstcome.contracts.database.DatabasePorts;
import io.firstcome.contracts.database.DeadLettersContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;

/** {@link JooqDeadLetters} against its contract. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class JooqDeadLettersIT extends DeadLettersContract {

  private final TestDatabase database = new TestDatabase(JooqDeadLettersIT.class);

  @Override
  protected DatabasePorts emptyDatabase() {
    return database.empty();
  }

  @AfterAll
  void close() {
    database.close();
  }
}
