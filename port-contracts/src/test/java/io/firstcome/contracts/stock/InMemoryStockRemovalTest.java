package io.firstcome.contracts.stock;

import java.time.InstantSource;

/** The in-memory backend keeps {@link StockRemovalContract}. */
class InMemoryStockRemovalTest extends StockRemovalContract {

  @Override
  protected StockBackend emptyBackend() {
    return new InMemoryStockBackend(InstantSource.system(), LOG_CAP);
  }
}
