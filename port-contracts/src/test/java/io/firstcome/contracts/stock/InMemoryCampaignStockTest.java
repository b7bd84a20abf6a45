package io.firstcome.contracts.stock;

import java.time.InstantSource;

/** The in-memory backend against {@link CampaignContract}. */
class InMemoryCampaignStockTest extends CampaignContract<HandoffStockUnderTest> {

  @Override
  protected HandoffStockUnderTest emptyBackend() {
    return new InMemoryStockBackend(InstantSource.system(), CALLS);
  }
}
