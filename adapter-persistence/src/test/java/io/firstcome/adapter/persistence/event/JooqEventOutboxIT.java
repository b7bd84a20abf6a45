package io.firstcome.adapter.persistence.event;

import io.firstcome.adapter.persistence.TestDatabase;
import io.firstcome.contracts.database.DatabasePorts;
import io.firstcome.contracts.database.EventOutboxContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;

/** {@link JooqEventOutbox} against its contract. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class JooqEventOutboxIT extends EventOutboxContract {

  private final TestDatabase database = new TestDatabase(JooqEventOutboxIT.class);

  @Override
  protected DatabasePorts emptyDatabase() {
    return database.empty();
  }

  @AfterAll
  void close() {
    database.close();
  }
}
