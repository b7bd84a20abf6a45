package io.firstcome.bootstrap.operation;

import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.stereotype.Component;

/** Up when the database answers: user coupons can be looked at and used. */
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
