package io.firstcome.adapter.persistence.usercoupon;

import io.firstcome.adapter.persistence.TestDatabase;
import io.firstcome.contracts.database.DatabasePorts;
import io.firstcome.contracts.database.UserCouponCountsContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;

/** {@link JooqUserCouponRepository} against the contract of counts by state. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class JooqUserCouponCountsIT extends UserCouponCountsContract {

  private final TestDatabase database = new TestDatabase(JooqUserCouponCountsIT.class);

  @Override
  protected DatabasePorts emptyDatabase() {
    return database.empty();
  }

  @AfterAll
  void close() {
    database.close();
  }
}
