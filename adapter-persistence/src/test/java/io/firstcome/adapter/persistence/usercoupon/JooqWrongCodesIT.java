package io.firstcome.adapter.persistence.usercoupon;

import io.firstcome.adapter.persistence.TestDatabase;
import io.firstcome.contracts.database.DatabasePorts;
import io.firstcome.contracts.database.WrongCodesContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;

/** {@link JooqWrongCodes} against its contract. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class JooqWrongCodesIT extends WrongCodesContract {

  private final TestDatabase database = new TestDatabase(JooqWrongCodesIT.class);

  @Override
  protected DatabasePorts emptyDatabase() {
    return database.empty();
  }

  @AfterAll
  void close() {
    database.close();
  }
}
