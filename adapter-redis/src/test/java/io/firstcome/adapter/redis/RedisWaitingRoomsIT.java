package io.firstcome.adapter.redis;

import io.firstcome.contracts.stock.HandoffStockUnderTest;
import io.firstcome.contracts.stock.WaitingRoomsContract;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;

/** Redis keeps {@link WaitingRoomsContract}. */
class RedisWaitingRoomsIT extends WaitingRoomsContract {

  private @Nullable RedisBackend backend;

  @Override
  protected HandoffStockUnderTest emptyBackend() {
    var empty = RedisBackend.empty(LOG_CAP);
    backend = empty;
    return empty;
  }

  @AfterEach
  void close() {
    if (backend != null) {
      backend.close();
    }
  }
}
