package io.firstcome.adapter.redis;

import io.firstcome.contracts.stock.HandoffStockUnderTest;
import io.firstcome.contracts.stock.StockRecoveryContract;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;

/** Redis keeps {@link StockRecoveryContract}. */
class RedisStockRecoveryIT extends StockRecoveryContract {

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
