package io.firstcome.adapter.persistence.rehearsal;

import io.firstcome.adapter.persistence.TestDatabase;
import io.firstcome.contracts.database.DatabasePorts;
import io.firstcome.contracts.database.RehearsalsContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;

/** {@link JooqRehearsals} against its contract. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class JooqRehearsalsIT extends RehearsalsContract {

  private final TestDatabase database = new TestDatabase(JooqRehearsalsIT.class);

  @Override
  protected DatabasePorts emptyDatabase() {
    return database.empty();
  }

  @AfterAll
  void close() {
    database.close();
  }
}
