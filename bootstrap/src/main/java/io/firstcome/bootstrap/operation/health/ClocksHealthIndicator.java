package io.firstcome.bootstrap.operation.health;

import io.firstcome.application.server.CompareClocks;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.stereotype.Component;

/** Shows which clocks are wrong. It is always up, because the instance uses the servers' clocks. */
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
