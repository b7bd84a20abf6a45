package io.firstcome.adapter.persistence.instance;

import io.firstcome.adapter.persistence.TestDatabase;
import io.firstcome.contracts.database.DatabasePorts;
import io.firstcome.contracts.database.InstanceReportsContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;

/** {@link JooqInstanceReports} against its contract. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class JooqInstanceReportsIT extends InstanceReportsContract {

  private final TestDatabase database = new TestDatabase(JooqInstanceReportsIT.class);

  @Override
  protected DatabasePorts emptyDatabase() {
    return database.empty();
  }

  @AfterAll
  void close() {
    database.close();
  }
}
