package io.firstcome.adapter.persistence.stock;

import io.firstcome.adapter.persistence.TestDatabase;
import io.firstcome.contracts.stock.StockWindowContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;

/** {@link JooqCouponStock} against the contract of issuance windows. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class JooqStockWindowIT extends StockWindowContract<RowStock> {

  private final TestDatabase database = new TestDatabase(JooqStockWindowIT.class);

  @Override
  protected RowStock emptyBackend() {
    return new RowStock(database);
  }

  @AfterAll
  void close() {
    database.close();
  }
}
