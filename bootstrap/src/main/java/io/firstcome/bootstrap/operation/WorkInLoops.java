package io.firstcome.bootstrap.operation;

import io.firstcome.domain.observation.IssuanceObserver;
import java.time.Duration;
import java.util.List;
import org.springframework.context.SmartLifecycle;

/** Base of components that run loops from the start of the service to its end. */
public abstract class WorkInLoops implements SmartLifecycle, HasLoops {

  private static final Duration PAUSE_AFTER_FAILURE = Duration.ofMillis(500);
  private static final Duration STOP_WITHIN = Duration.ofSeconds(5);

  private final IssuanceObserver observer;
  private volatile List<Loop> running = List.of();

  protected WorkInLoops(IssuanceObserver observer) {
    this.observer = observer;
  }

  /** Creates the loops without starting them. */
  protected abstract List<Loop> loops();

  protected final Loop loop(String name, Loop.Round round) {
    return new Loop(name, round, Loop.Pauses.always(PAUSE_AFTER_FAILURE), observer);
  }

  /** A loop that pauses longer after each failure in a row, up to the longest pause. */
  protected final Loop loop(String name, Loop.Round round, Duration longestPause) {
    return new Loop(name, round, new Loop.Pauses(PAUSE_AFTER_FAILURE, longestPause), observer);
  }

  @Override
  public final void start() {
    var all = List.copyOf(loops());
    all.forEach(Loop::start);
    running = all;
  }

  @Override
  public final List<String> dead() {
    return running.stream().filter(Loop::hasDied).map(Loop::name).toList();
  }

  @Override
  public final void stop() {
    running.forEach(Loop::stop);
    try {
      long end = System.nanoTime() + STOP_WITHIN.toNanos();
      for (var loop : running) {
        loop.awaitEnd(Duration.ofNanos(Math.max(1, end - System.nanoTime())));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    running = List.of();
  }

  @Override
  public final boolean isRunning() {
    return !running.isEmpty();
  }

  /** Starts before the web server and stops after it. */
  @Override
  public final int getPhase() {
    return 0;
  }
}
