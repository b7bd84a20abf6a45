package io.firstcome.contracts.database;

/** The database in memory against {@link UserCouponExpiryContract}. */
class InMemoryUserCouponExpiryTest extends UserCouponExpiryContract {

  @Override
  protected DatabasePorts emptyDatabase() {
    return new InMemoryDatabase().ports();
  }
}
