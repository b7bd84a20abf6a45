package io.firstcome.bootstrap.operation.health;

import io.firstcome.application.recovery.StockKeeper;
import io.firstcome.bootstrap.wiring.WithRedis;
import io.firstcome.domain.coupon.Partition;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.stereotype.Component;

/** Up if every partition of the stock accepts claims; lists the closed partitions. */
@Component("stock")
@WithRedis
class StockHealthIndicator extends AbstractHealthIndicator {

  private final StockKeeper keeper;

  StockHealthIndicator(StockKeeper keeper) {
    this.keeper = keeper;
  }

  @Override
  protected void doHealthCheck(Health.Builder builder) {
    var closed = keeper.closed();
    (closed.isEmpty() ? builder.up() : builder.down())
        .withDetail("partitions", keeper.partitions().size())
        .withDetail("closed", closed.stream().map(Partition::number).toList());
  }
}
