package io.firstcome.adapter.persistence.usercoupon;

import io.firstcome.adapter.persistence.TestDatabase;
import io.firstcome.contracts.database.DatabasePorts;
import io.firstcome.contracts.database.UserCouponRetentionContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;

/** {@link JooqUserCouponRetention} against its contract. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class JooqUserCouponRetentionIT extends UserCouponRetentionContract {

  private final TestDatabase database = new TestDatabase(JooqUserCouponRetentionIT.class);

  @Override
  protected DatabasePorts emptyDatabase() {
    return database.empty();
  }

  @AfterAll
  void close() {
    database.close();
  }
}
