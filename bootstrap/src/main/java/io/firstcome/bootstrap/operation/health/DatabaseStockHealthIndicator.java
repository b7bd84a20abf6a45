package io.firstcome.bootstrap.operation.health;

import io.firstcome.bootstrap.operation.DatabaseWatch;
import io.firstcome.bootstrap.wiring.WithPostgresAlone;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.stereotype.Component;

/** Up if the database replies, which is also the stock. */
@Component("stock")
@WithPostgresAlone
class DatabaseStockHealthIndicator extends AbstractHealthIndicator {

  private final DatabaseWatch database;

  DatabaseStockHealthIndicator(DatabaseWatch database) {
    this.database = database;
  }

  @Override
  protected void doHealthCheck(Health.Builder builder) {
    if (database.answers()) {
      builder.up();
    } else {
      builder.down();
    }
  }
}
