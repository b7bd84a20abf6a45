package io.firstcome.adapter.persistence.stock;

import io.firstcome.adapter.persistence.TestDatabase;
import io.firstcome.contracts.stock.StockReturnsContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;

/** {@link JooqCouponStock} against the contract of slots that go back to the stock. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class JooqStockReturnsIT extends StockReturnsContract<RowStock> {

  private final TestDatabase database = new TestDatabase(JooqStockReturnsIT.class);

  @Override
  protected RowStock emptyBackend() {
    return new RowStock(database);
  }

  @AfterAll
  void close() {
    database.close();
  }
}
