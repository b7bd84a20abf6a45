package io.firstcome.bootstrap.operation;

import io.firstcome.application.StockKeeper;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.stereotype.Component;

/**
 * Up when requests should come to this instance: when it can take claims of any coupon, or answer
 * for user coupons. What takes instances out must not take out one that still does useful work, nor
 * all of them because of a server that they share.
 *
 * <p>Out of service until its servers have answered once after the start, so that a deployment with
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
