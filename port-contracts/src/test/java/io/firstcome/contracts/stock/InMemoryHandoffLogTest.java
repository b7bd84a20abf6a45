package io.firstcome.contracts.stock;

import java.time.InstantSource;

/** The in-memory backend keeps {@link HandoffLogContract}. */
class InMemoryHandoffLogTest extends HandoffLogContract {

  @Override
  protected StockBackend emptyBackend() {
    return new InMemoryStockBackend(InstantSource.system(), 100);
  }
}
