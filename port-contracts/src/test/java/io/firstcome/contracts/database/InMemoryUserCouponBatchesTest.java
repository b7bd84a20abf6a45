package io.firstcome.contracts.database;

/** The database in memory against {@link UserCouponBatchesContract}. */
class InMemoryUserCouponBatchesTest extends UserCouponBatchesContract {

  @Override
  protected DatabasePorts emptyDatabase() {
    return new InMemoryDatabase().ports();
  }
}
