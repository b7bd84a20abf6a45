package io.firstcome.bootstrap.operation;

import io.firstcome.application.server.InspectServers;
import io.firstcome.bootstrap.operation.start.DoubtfulServersException;
import io.firstcome.bootstrap.wiring.FirstcomeProperties;
import io.firstcome.domain.observation.IssuanceObserver;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * Inspects the servers' settings at the start and periodically. In strict mode the start fails
 * unless every server replies and none has a weakness; later findings are only reported.
 */
@Component
class ServerInspection implements SmartLifecycle, HasLoops {

  /** An unreachable server may return with other settings, or as another node. */
  private static final Duration PAUSE_WHILE_UNREACHABLE = Duration.ofSeconds(1);

  /** A failover can be so quick that no inspection finds the server unreachable. */
  private static final Duration PAUSE = Duration.ofSeconds(5);

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
        new Loop("inspecting servers", this::inspect, Loop.Pauses.always(PAUSE), observer);
    loop = started;
    started.start();
  }

  private Duration inspect() {
    return inspectServers.inspect().notAsked().isEmpty() ? PAUSE : PAUSE_WHILE_UNREACHABLE;
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

  /** Starts before the loops use the servers. */
  @Override
  public int getPhase() {
    return -1;
  }
}
