package io.firstcome.contracts.stock;

import java.time.InstantSource;

/** The in-memory backend against {@link StockErasureContract}. */
class InMemoryStockErasureTest extends StockErasureContract<HandoffStockUnderTest> {

  @Override
  protected HandoffStockUnderTest emptyBackend() {
    return new InMemoryStockBackend(InstantSource.system(), LOG_CAP);
  }
}
