package io.firstcome.bootstrap.operation;

import io.firstcome.bootstrap.wiring.WithPostgresAlone;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.stereotype.Component;

/** Up when the database answers, which is the stock itself. */
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
