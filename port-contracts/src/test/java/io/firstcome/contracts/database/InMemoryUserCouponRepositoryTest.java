package io.firstcome.contracts.database;

/** The database in memory against {@link UserCouponRepositoryContract}. */
class InMemoryUserCouponRepositoryTest extends UserCouponRepositoryContract {

  @Override
  protected DatabasePorts emptyDatabase() {
    return new InMemoryDatabase().ports();
  }
}
