package io.firstcome.adapter.persistence.usercoupon;

import io.firstcome.adapter.persistence.TestDatabase;
import io.firstcome.contracts.database.DatabasePorts;
import io.firstcome.contracts.database.SlotReturnsContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;

/** {@link JooqSlotReturns} against its contract. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class JooqSlotReturnsIT extends SlotReturnsContract {

  private final TestDatabase database = new TestDatabase(JooqSlotReturnsIT.class);

  @Override
  protected DatabasePorts emptyDatabase() {
    return database.empty();
  }

  @AfterAll
  void close() {
    database.close();
  }
}
