package io.firstcome.bootstrap.operation;

import io.firstcome.application.CompareClocks;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.stereotype.Component;

/**
 * Shows which clocks are wrong. It is up all the same: the instance works by the servers' clocks.
 */
@Component("clocks")
class ClocksHealthIndicator extends AbstractHealthIndicator {

  private final CompareClocks compareClocks;

  ClocksHealthIndicator(CompareClocks compareClocks) {
    this.compareClocks = compareClocks;
  }

  @Override
  protected void doHealthCheck(Health.Builder builder) {
    builder.up().withDetail("doubts", compareClocks.doubts());
  }
}
