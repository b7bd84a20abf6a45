package io.firstcome.contracts.database;

/** The database in memory against {@link CouponListsContract}. */
class InMemoryCouponListsTest extends CouponListsContract {

  @Override
  protected DatabasePorts emptyDatabase() {
    return new InMemoryDatabase().ports();
  }
}
