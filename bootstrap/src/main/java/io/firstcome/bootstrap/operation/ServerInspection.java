package io.firstcome.bootstrap.operation;

import io.firstcome.application.InspectServers;
import io.firstcome.bootstrap.wiring.FirstcomeProperties;
import io.firstcome.domain.port.IssuanceObserver;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * Has the servers' settings inspected: at the start and for as long as the service runs. In strict
 * mode the start fails unless every server answers and none has a weakness; later findings are told
 * and stop nothing.
 */
@Component
class ServerInspection implements SmartLifecycle, HasLoops {

  /** A server that is away may come back with other settings, or as another node. */
  private static final Duration AGAIN_WHILE_ONE_IS_AWAY = Duration.ofSeconds(1);

  /** A failover can be so quick that the server is never seen away. */
  private static final Duration AGAIN = Duration.ofSeconds(5);

  private static final Duration STOP_WITHIN = Duration.ofSeconds(5);

  private final InspectServers inspectServers;
  private final boolean strict;
  private final IssuanceObserver observer;
  private volatile @Nullable Loop loop;

  ServerInspection(
      InspectServers inspectServers, FirstcomeProperties properties, IssuanceObserver observer) {
    this.inspectServers = inspectServers;
    this.strict = properties.strict();
    this.observer = observer;
  }

  @Override
  public void start() {
    if (strict) {
      var doubts = inspectServers.inspect().doubts();
      if (!doubts.isEmpty()) {
        throw new DoubtfulServersException(doubts);
      }
    }
    var started =
        new Loop("inspecting servers", this::inspect, Loop.Pauses.always(AGAIN), observer);
    loop = started;
    started.start();
  }

  private Duration inspect() {
    return inspectServers.inspect().notAsked().isEmpty() ? AGAIN : AGAIN_WHILE_ONE_IS_AWAY;
  }

  @Override
  public void stop() {
    var running = loop;
    loop = null;
    if (running == null) {
      return;
    }
    running.stop();
    try {
      running.awaitEnd(STOP_WITHIN);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public List<String> dead() {
    var running = loop;
    return running != null && running.hasDied() ? List.of(running.name()) : List.of();
  }

  @Override
  public boolean isRunning() {
    return loop != null;
  }

  /** Before anything else is done with the servers. */
  @Override
  public int getPhase() {
    return -1;
  }
}
