package io.firstcome.adapter.redis;

import io.firstcome.contracts.stock.HandoffLogContract;
import io.firstcome.contracts.stock.HandoffStockUnderTest;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;

/** Redis keeps {@link HandoffLogContract}. */
class RedisHandoffLogIT extends HandoffLogContract {

  private @Nullable RedisBackend backend;

  @Override
  protected HandoffStockUnderTest emptyBackend() {
    var empty = RedisBackend.empty(100);
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
