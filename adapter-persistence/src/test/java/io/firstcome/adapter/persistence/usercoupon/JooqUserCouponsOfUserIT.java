package io.firstcome.adapter.persistence.usercoupon;

import io.firstcome.adapter.persistence.TestDatabase;
import io.firstcome.contracts.database.DatabasePorts;
import io.firstcome.contracts.database.UserCouponsOfUserContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;

/** {@link JooqUserCouponRepository} against the contract of lists for one user. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class JooqUserCouponsOfUserIT extends UserCouponsOfUserContract {

  private final TestDatabase database = new TestDatabase(JooqUserCouponsOfUserIT.class);

  @Override
  protected DatabasePorts emptyDatabase() {
    return database.empty();
  }

  @AfterAll
  void close() {
    database.close();
  }
}
