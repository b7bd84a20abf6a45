package io.firstcome.contracts.stock;

import java.time.InstantSource;

class InMemorySoldOutLeasesTest extends SoldOutLeasesContract {

  @Override
  protected HandoffStockUnderTest emptyBackend() {
    return new InMemoryStockBackend(InstantSource.system(), 100);
  }
}
