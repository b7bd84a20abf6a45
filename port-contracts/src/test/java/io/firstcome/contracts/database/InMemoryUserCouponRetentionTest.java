package io.firstcome.contracts.database;

/** The database in memory against {@link UserCouponRetentionContract}. */
class InMemoryUserCouponRetentionTest extends UserCouponRetentionContract {

  @Override
  protected DatabasePorts emptyDatabase() {
    return new InMemoryDatabase().ports();
  }
}
