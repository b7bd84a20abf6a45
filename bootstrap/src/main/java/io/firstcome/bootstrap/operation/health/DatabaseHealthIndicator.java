package io.firstcome.bootstrap.operation.health;

import io.firstcome.bootstrap.operation.DatabaseWatch;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.stereotype.Component;

/** Up if the database replies: user coupons can be read and used. */
@Component("database")
class DatabaseHealthIndicator extends AbstractHealthIndicator {

  private final DatabaseWatch database;

  DatabaseHealthIndicator(DatabaseWatch database) {
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
