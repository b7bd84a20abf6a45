package io.firstcome.contracts.database;

/** The database in memory against {@link UserCouponCountsContract}. */
class InMemoryUserCouponCountsTest extends UserCouponCountsContract {

  @Override
  protected DatabasePorts emptyDatabase() {
    return new InMemoryDatabase().ports();
  }
}
