package io.firstcome.bootstrap.operation.health;

import io.firstcome.application.recovery.StockKeeper;
import io.firstcome.bootstrap.operation.DatabaseWatch;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.stereotype.Component;

/**
 * Up if requests should be routed to this instance: if any partition accepts claims, or the
 * database replies. Readiness must not remove an instance that still does useful work, nor all
 * instances because of a server that they share.
 *
 * <p>Out of service until its servers have replied once after the start, so that a deployment with
 * wrong settings replaces no instance that works.
 */
@Component("usefulWork")
class UsefulWorkHealthIndicator extends AbstractHealthIndicator {

  private final StockKeeper keeper;
  private final DatabaseWatch database;

  UsefulWorkHealthIndicator(StockKeeper keeper, DatabaseWatch database) {
    this.keeper = keeper;
    this.database = database;
  }

  @Override
  protected void doHealthCheck(Health.Builder builder) {
    boolean hasBegun = keeper.partitions().isEmpty() || keeper.hasLooked();
    boolean isUseful = keeper.takesClaims() || database.answers();
    if (hasBegun && isUseful) {
      builder.up();
    } else {
      builder.outOfService();
    }
  }
}
