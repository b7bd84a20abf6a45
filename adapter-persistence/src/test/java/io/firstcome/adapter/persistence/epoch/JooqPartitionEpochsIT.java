package io.firstcome.adapter.persistence.epoch;

import io.firstcome.adapter.persistence.TestDatabase;
import io.firstcome.contracts.database.DatabasePorts;
import io.firstcome.contracts.database.PartitionEpochsContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;

/** {@link JooqPartitionEpochs} against its contract. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class JooqPartitionEpochsIT extends PartitionEpochsContract {

  private final TestDatabase database = new TestDatabase(JooqPartitionEpochsIT.class);

  @Override
  protected DatabasePorts emptyDatabase() {
    return database.empty();
  }

  @AfterAll
  void close() {
    database.close();
  }
}
