package io.firstcome.contracts.stock;

import java.time.InstantSource;

class InMemoryWaitingRoomsTest extends WaitingRoomsContract {

  @Override
  protected HandoffStockUnderTest emptyBackend() {
    return new InMemoryStockBackend(InstantSource.system(), LOG_CAP);
  }
}
