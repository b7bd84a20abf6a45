package io.firstcome.contracts.stock;

import java.time.InstantSource;

/** The in-memory backend against {@link StockRecoveryContract}. */
class InMemoryStockRecoveryTest extends StockRecoveryContract {

  @Override
  protected HandoffStockUnderTest emptyBackend() {
    return new InMemoryStockBackend(InstantSource.system(), 100);
  }
}
