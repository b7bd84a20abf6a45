package io.firstcome.adapter.redis;

import io.firstcome.contracts.stock.CouponStockContract;
import io.firstcome.contracts.stock.HandoffStockUnderTest;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;

/** Redis keeps {@link CouponStockContract}. */
class RedisCouponStockIT extends CouponStockContract {

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
