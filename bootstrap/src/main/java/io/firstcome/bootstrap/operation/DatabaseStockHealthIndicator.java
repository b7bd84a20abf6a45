package io.firstcome.bootstrap.operation;

import io.firstcome.bootstrap.wiring.WithPostgresAlone;
import io.firstcome.domain.port.CouponRepository;
import io.firstcome.domain.port.DatabaseUnavailableException;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.stereotype.Component;

/** Ready when the database answers, which is the stock itself. */
@Component("stock")
@WithPostgresAlone
class DatabaseStockHealthIndicator extends AbstractHealthIndicator {

  private final CouponRepository coupons;

  DatabaseStockHealthIndicator(CouponRepository coupons) {
    this.coupons = coupons;
  }

  @Override
  protected void doHealthCheck(Health.Builder builder) {
    try {
      coupons.page(null, null, 1);
      builder.up();
    } catch (DatabaseUnavailableException e) {
      builder.outOfService();
    }
  }
}
