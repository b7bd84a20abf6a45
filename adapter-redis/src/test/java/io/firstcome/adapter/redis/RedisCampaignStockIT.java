package io.firstcome.adapter.redis;

import io.firstcome.contracts.stock.CampaignContract;
import io.firstcome.contracts.stock.HandoffStockUnderTest;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;

/** Redis keeps {@link CampaignContract}. */
class RedisCampaignStockIT extends CampaignContract<HandoffStockUnderTest> {

  private @Nullable RedisBackend backend;

  @Override
  protected HandoffStockUnderTest emptyBackend() {
    var empty = RedisBackend.empty(CALLS);
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
