package io.firstcome.adapter.persistence;

import static io.firstcome.contracts.CouponFixtures.ACCEPTED_AT;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.contracts.database.DatabasePorts;
import io.firstcome.contracts.database.UserCouponExpiryContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** {@link JooqUserCouponRepository} against the contract of expiry, and how it finds them. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class JooqUserCouponExpiryIT extends UserCouponExpiryContract {

  private final TestDatabase database = new TestDatabase(JooqUserCouponExpiryIT.class);

  @Override
  protected DatabasePorts emptyDatabase() {
    return database.empty();
  }

  /** A table this small is read as a whole unless that is forbidden; so is sorting it. */
  @Test
  void overdue_ones_are_found_in_order_by_their_index() {
    var plan =
        database
            .dsl()
            .transactionResult(transaction -> {
              var dsl = transaction.dsl();
              dsl.execute("SET LOCAL enable_seqscan = off");
              dsl.execute("SET LOCAL enable_bitmapscan = off");
              dsl.execute("SET LOCAL enable_sort = off");
              dsl.execute("SET LOCAL plan_cache_mode = force_generic_plan");
              return dsl.explain(UserCouponRows.overdue(dsl, ACCEPTED_AT, 500)).plan();
            });

    assertThat(plan).contains("Index Scan using user_coupon_not_yet_ended");
  }

  @AfterAll
  void close() {
    database.close();
  }
}
