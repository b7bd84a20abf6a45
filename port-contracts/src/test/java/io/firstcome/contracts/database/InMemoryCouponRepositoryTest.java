package io.firstcome.contracts.database;

/** The database in memory against {@link CouponRepositoryContract}. */
class InMemoryCouponRepositoryTest extends CouponRepositoryContract {

  @Override
  protected DatabasePorts emptyDatabase() {
    return new InMemoryDatabase().ports();
  }
}
