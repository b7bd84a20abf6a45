package io.firstcome.contracts.stock;

import java.time.InstantSource;

/** The in-memory backend against {@link StockRemovalContract}. */
class InMemoryStockRemovalTest extends StockRemovalContract {

  @Override
  protected HandoffStockUnderTest emptyBackend() {
    return new InMemoryStockBackend(InstantSource.system(), LOG_CAP);
  }
}
