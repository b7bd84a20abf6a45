package io.firstcome.adapter.persistence.usercoupon;

import io.firstcome.adapter.persistence.TestDatabase;
import io.firstcome.contracts.database.DatabasePorts;
import io.firstcome.contracts.database.UserCouponRepositoryContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;

/** {@link JooqUserCouponRepository} against its contract. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class JooqUserCouponRepositoryIT extends UserCouponRepositoryContract {

  private final TestDatabase database = new TestDatabase(JooqUserCouponRepositoryIT.class);

  @Override
  protected DatabasePorts emptyDatabase() {
    return database.empty();
  }

  @AfterAll
  void close() {
    database.close();
  }
}
