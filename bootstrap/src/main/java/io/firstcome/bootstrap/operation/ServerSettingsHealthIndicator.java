package io.firstcome.bootstrap.operation;

import io.firstcome.application.InspectServers;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.stereotype.Component;

/** Shows what weakens the promises of the service. It is up all the same: it works, and says so. */
@Component("serverSettings")
class ServerSettingsHealthIndicator extends AbstractHealthIndicator {

  private final InspectServers inspectServers;

  ServerSettingsHealthIndicator(InspectServers inspectServers) {
    this.inspectServers = inspectServers;
  }

  @Override
  protected void doHealthCheck(Health.Builder builder) {
    builder.up().withDetail("doubts", inspectServers.latest().doubts());
  }
}
