package io.firstcome.adapter.persistence.stock;

import io.firstcome.adapter.persistence.TestDatabase;
import io.firstcome.contracts.stock.StockErasureContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;

/** {@link JooqCouponStock} against the contract of erased users. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class JooqStockErasureIT extends StockErasureContract<RowStock> {

  private final TestDatabase database = new TestDatabase(JooqStockErasureIT.class);

  @Override
  protected RowStock emptyBackend() {
    return new RowStock(database);
  }

  @AfterAll
  void close() {
    database.close();
  }
}
