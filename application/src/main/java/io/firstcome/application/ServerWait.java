package io.firstcome.application;

import io.firstcome.domain.port.DatabaseUnavailableException;
import io.firstcome.domain.port.IssuanceObserver;
import java.util.concurrent.atomic.AtomicBoolean;

/** Repeats a step while the database is away, however long that takes. */
final class ServerWait {

  private final ApplicationLimits limits;
  private final IssuanceObserver observer;
  private final AtomicBoolean waiting = new AtomicBoolean();

  ServerWait(ApplicationLimits limits, IssuanceObserver observer) {
    this.limits = limits;
    this.observer = observer;
  }

  /** Whether a step waits at this moment. */
  boolean isWaiting() {
    return waiting.get();
  }

  /**
   * Returns when the step was done.
   *
   * @param step safe to repeat
   */
  void untilDone(Runnable step) throws InterruptedException {
    try {
      while (!isDone(step)) {
        Thread.sleep(limits.retryPause());
      }
    } finally {
      waiting.set(false);
    }
  }

  private boolean isDone(Runnable step) {
    try {
      step.run();
      return true;
    } catch (DatabaseUnavailableException e) {
      waiting.set(true);
      observer.recordingPaused(e);
      return false;
    }
  }
}
