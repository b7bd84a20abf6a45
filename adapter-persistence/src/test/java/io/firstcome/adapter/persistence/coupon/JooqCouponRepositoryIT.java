package io.firstcome.adapter.persistence.coupon;

import io.firstcome.adapter.persistence.TestDatabase;
import io.firstcome.contracts.database.CouponRepositoryContract;
import io.firstcome.contracts.database.DatabasePorts;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;

/** {@link JooqCouponRepository} against its contract. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class JooqCouponRepositoryIT extends CouponRepositoryContract {

  private final TestDatabase database = new TestDatabase(JooqCouponRepositoryIT.class);

  @Override
  protected DatabasePorts emptyDatabase() {
    return database.empty();
  }

  @AfterAll
  void close() {
    database.close();
  }
}
