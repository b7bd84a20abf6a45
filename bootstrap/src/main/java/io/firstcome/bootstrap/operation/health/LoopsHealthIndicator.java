package io.firstcome.bootstrap.operation.health;

import io.firstcome.bootstrap.operation.HasLoops;
import java.util.List;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.stereotype.Component;

/**
 * Down if the thread of a loop has ended without being stopped: only a restart of the process
 * resumes its work.
 */
@Component("loops")
class LoopsHealthIndicator extends AbstractHealthIndicator {

  private final List<HasLoops> work;

  LoopsHealthIndicator(List<HasLoops> work) {
    this.work = List.copyOf(work);
  }

  @Override
  protected void doHealthCheck(Health.Builder builder) {
    var dead = work.stream().flatMap(all -> all.dead().stream()).toList();
    if (dead.isEmpty()) {
      builder.up();
    } else {
      builder.down().withDetail("dead", dead);
    }
  }
}
