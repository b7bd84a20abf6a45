package io.firstcome.contracts.stock;

import java.time.InstantSource;

/** The in-memory backend keeps {@link CouponStockContract}. */
class InMemoryCouponStockTest extends CouponStockContract {

  @Override
  protected StockBackend emptyBackend() {
    return new InMemoryStockBackend(InstantSource.system(), LOG_CAP);
  }
}
