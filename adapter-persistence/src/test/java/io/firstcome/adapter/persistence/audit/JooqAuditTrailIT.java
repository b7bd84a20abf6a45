package io.firstcome.adapter.persistence.audit;

import io.firstcome.adapter.persistence.TestDatabase;
import io.firstcome.contracts.database.AuditTrailContract;
import io.firstcome.contracts.database.DatabasePorts;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;

/** {@link JooqAuditTrail} against its contract. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class JooqAuditTrailIT extends AuditTrailContract {

  private final TestDatabase database = new TestDatabase(JooqAuditTrailIT.class);

  @Override
  protected DatabasePorts emptyDatabase() {
    return database.empty();
  }

  @AfterAll
  void close() {
    database.close();
  }
}
