package io.firstcome.adapter.persistence.stock;

import io.firstcome.adapter.persistence.TestDatabase;
import io.firstcome.contracts.stock.CampaignContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;

/** {@link JooqCouponStock} against the contract of campaigns. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class JooqCampaignStockIT extends CampaignContract<RowStock> {

  private final TestDatabase database = new TestDatabase(JooqCampaignStockIT.class);

  @Override
  protected RowStock emptyBackend() {
    return new RowStock(database);
  }

  @AfterAll
  void close() {
    database.close();
  }
}
