package io.firstcome.contracts.database;

/** The database in memory against {@link UserCouponChangesContract}. */
class InMemoryUserCouponChangesTest extends UserCouponChangesContract {

  @Override
  protected DatabasePorts emptyDatabase() {
    return new InMemoryDatabase().ports();
  }
}
