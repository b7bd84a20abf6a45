package io.firstcome.adapter.persistence.usercoupon;

import io.firstcome.adapter.persistence.TestDatabase;
import io.firstcome.contracts.database.DatabasePorts;
import io.firstcome.contracts.database.UserErasuresContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;

/** {@link JooqUserErasures} against its contract. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class JooqUserErasuresIT extends UserErasuresContract {

  private final TestDatabase database = new TestDatabase(JooqUserErasuresIT.class);

  @Override
  protected DatabasePorts emptyDatabase() {
    return database.empty();
  }

  @AfterAll
  void close() {
    database.close();
  }
}
