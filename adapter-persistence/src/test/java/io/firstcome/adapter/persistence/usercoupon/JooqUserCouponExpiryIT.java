package io.firstcome.adapter.persistence.usercoupon;

import io.firstcome.adapter.persistence.TestDatabase;
import io.firstcome.contracts.database.DatabasePorts;
import io.firstcome.contracts.database.UserCouponExpiryContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;

/** {@link JooqUserCouponRepository} against the contract of expiry. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class JooqUserCouponExpiryIT extends UserCouponExpiryContract {

  private final TestDatabase database = new TestDatabase(JooqUserCouponExpiryIT.class);

  @Override
  protected DatabasePorts emptyDatabase() {
    return database.empty();
  }

  @AfterAll
  void close() {
    database.close();
  }
}
