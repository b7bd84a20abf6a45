package io.firstcome.bootstrap.operation;

import io.firstcome.application.StockKeeper;
import io.firstcome.bootstrap.wiring.WithRedis;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.stereotype.Component;

/** Ready when every partition of the stock was open at the last look. */
@Component("stock")
@WithRedis
class StockHealthIndicator extends AbstractHealthIndicator {

  private final StockKeeper keeper;

  StockHealthIndicator(StockKeeper keeper) {
    this.keeper = keeper;
  }

  @Override
  protected void doHealthCheck(Health.Builder builder) {
    if (keeper.allOpen()) {
      builder.up();
    } else {
      builder.outOfService();
    }
  }
}
