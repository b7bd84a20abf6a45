package io.firstcome.adapter.persistence.curve;

import io.firstcome.adapter.persistence.TestDatabase;
import io.firstcome.contracts.database.DatabasePorts;
import io.firstcome.contracts.database.IssuanceCurvesContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;

/** {@link JooqIssuanceCurves} against its contract. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class JooqIssuanceCurvesIT extends IssuanceCurvesContract {

  private final TestDatabase database = new TestDatabase(JooqIssuanceCurvesIT.class);

  @Override
  protected DatabasePorts emptyDatabase() {
    return database.empty();
  }

  @AfterAll
  void close() {
    database.close();
  }
}
