package io.firstcome.application.recording;

import io.firstcome.domain.observation.IssuanceObserver;
import io.firstcome.domain.observation.RecordingObservation;
import io.firstcome.domain.port.DatabaseUnavailableException;
import java.util.concurrent.atomic.AtomicBoolean;

/** Retries a step while the database is not reachable, without a time limit. */
final class ServerWait {

  private final RecordingLimits limits;
  private final IssuanceObserver observer;
  private final AtomicBoolean waiting = new AtomicBoolean();

  ServerWait(RecordingLimits limits, IssuanceObserver observer) {
    this.limits = limits;
    this.observer = observer;
  }

  /** Whether a step waits at this moment. */
  boolean isWaiting() {
    return waiting.get();
  }

  /**
   * Runs the step until it succeeds.
   *
   * @param step safe to retry
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
      observer.observe(new RecordingObservation.RecordingPaused(e));
      return false;
    }
  }
}
