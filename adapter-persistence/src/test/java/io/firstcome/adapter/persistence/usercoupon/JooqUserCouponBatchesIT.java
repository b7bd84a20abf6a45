package io.firstcome.adapter.persistence.usercoupon;

import io.firstcome.adapter.persistence.TestDatabase;
import io.firstcome.contracts.database.DatabasePorts;
import io.firstcome.contracts.database.UserCouponBatchesContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;

/** {@link JooqUserCouponRepository} against the contract of batches of steps. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class JooqUserCouponBatchesIT extends UserCouponBatchesContract {

  private final TestDatabase database = new TestDatabase(JooqUserCouponBatchesIT.class);

  @Override
  protected DatabasePorts emptyDatabase() {
    return database.empty();
  }

  @AfterAll
  void close() {
    database.close();
  }
}
