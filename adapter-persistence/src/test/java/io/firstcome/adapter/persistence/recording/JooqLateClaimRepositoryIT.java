package io.firstcome.adapter.persistence.recording;

import io.firstcome.adapter.persistence.TestDatabase;
import io.firstcome.contracts.database.DatabasePorts;
import io.firstcome.contracts.database.LateClaimRepositoryContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;

/** {@link JooqLateClaimRepository} against its contract. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class JooqLateClaimRepositoryIT extends LateClaimRepositoryContract {

  private final TestDatabase database = new TestDatabase(JooqLateClaimRepositoryIT.class);

  @Override
  protected DatabasePorts emptyDatabase() {
    return database.empty();
  }

  @AfterAll
  void close() {
    database.close();
  }
}
