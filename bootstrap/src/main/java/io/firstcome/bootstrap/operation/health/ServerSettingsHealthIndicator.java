package io.firstcome.bootstrap.operation.health;

import io.firstcome.application.server.InspectServers;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.stereotype.Component;

/** Shows settings that weaken the service's promises. It is always up: the service works. */
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
