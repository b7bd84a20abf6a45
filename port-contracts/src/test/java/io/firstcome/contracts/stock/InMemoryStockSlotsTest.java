package io.firstcome.contracts.stock;

import java.time.InstantSource;

/** The in-memory backend against {@link StockSlotsContract}. */
class InMemoryStockSlotsTest extends StockSlotsContract {

  @Override
  protected HandoffStockUnderTest emptyBackend() {
    return new InMemoryStockBackend(InstantSource.system(), LOG_CAP);
  }
}
