package io.firstcome.adapter.persistence.stock;

import io.firstcome.adapter.persistence.TestDatabase;
import io.firstcome.contracts.stock.StockClaimsContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;

/** {@link JooqCouponStock} against the contract of claims. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class JooqStockClaimsIT extends StockClaimsContract<RowStock> {

  private final TestDatabase database = new TestDatabase(JooqStockClaimsIT.class);

  @Override
  protected RowStock emptyBackend() {
    return new RowStock(database);
  }

  @AfterAll
  void close() {
    database.close();
  }
}
