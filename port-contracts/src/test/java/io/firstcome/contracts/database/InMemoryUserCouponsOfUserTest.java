package io.firstcome.contracts.database;

/** The database in memory against {@link UserCouponsOfUserContract}. */
class InMemoryUserCouponsOfUserTest extends UserCouponsOfUserContract {

  @Override
  protected DatabasePorts emptyDatabase() {
    return new InMemoryDatabase().ports();
  }
}
