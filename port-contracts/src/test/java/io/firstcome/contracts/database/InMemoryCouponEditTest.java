package io.firstcome.contracts.database;

/** The database in memory against {@link CouponEditContract}. */
class InMemoryCouponEditTest extends CouponEditContract {

  @Override
  protected DatabasePorts emptyDatabase() {
    return new InMemoryDatabase().ports();
  }
}
