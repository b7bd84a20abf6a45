package io.firstcome.contracts.stock;

import java.time.InstantSource;

/** The in-memory backend against {@link CouponStockContract}. */
class InMemoryCouponStockTest extends CouponStockContract {

  @Override
  protected HandoffStockUnderTest emptyBackend() {
    return new InMemoryStockBackend(InstantSource.system(), LOG_CAP);
  }
}
