package io.firstcome.contracts.stock;

import java.time.InstantSource;

/** The in-memory backend keeps {@link StockRecoveryContract}. */
class InMemoryStockRecoveryTest extends StockRecoveryContract {

  @Override
  protected StockBackend emptyBackend() {
    return new InMemoryStockBackend(InstantSource.system(), 100);
  }
}
