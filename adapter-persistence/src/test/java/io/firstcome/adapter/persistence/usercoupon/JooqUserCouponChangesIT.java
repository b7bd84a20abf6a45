package io.firstcome.adapter.persistence.usercoupon;

import io.firstcome.adapter.persistence.TestDatabase;
import io.firstcome.contracts.database.DatabasePorts;
import io.firstcome.contracts.database.UserCouponChangesContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;

/** {@link JooqUserCouponRepository} against the contract of its changes. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class JooqUserCouponChangesIT extends UserCouponChangesContract {

  private final TestDatabase database = new TestDatabase(JooqUserCouponChangesIT.class);

  @Override
  protected DatabasePorts emptyDatabase() {
    return database.empty();
  }

  @AfterAll
  void close() {
    database.close();
  }
}
