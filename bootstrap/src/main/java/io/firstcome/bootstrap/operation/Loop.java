package io.firstcome.bootstrap.operation;

import io.firstcome.domain.port.IssuanceObserver;
import java.time.Duration;

/**
 * A round of work, done again and again on a thread of its own until it is stopped. A platform
 * thread: loops are few, and must go on when requests take all that there is.
 */
final class Loop {

  /** One round. */
  interface Round {

    /**
     * Does what there is to do.
     *
     * @return how long to wait before the next round
     */
    Duration run() throws InterruptedException;
  }

  private final String name;
  private final Round round;
  private final Duration pauseAfterFailure;
  private final IssuanceObserver observer;
  private final Thread thread;
  private volatile boolean stopped;

  Loop(String name, Round round, Duration pauseAfterFailure, IssuanceObserver observer) {
    this.name = name;
    this.round = round;
    this.pauseAfterFailure = pauseAfterFailure;
    this.observer = observer;
    this.thread = Thread.ofPlatform().name(name).daemon().unstarted(this::run);
  }

  void start() {
    thread.start();
  }

  /** Asks it to stop; a round under way is interrupted. */
  void stop() {
    stopped = true;
    thread.interrupt();
  }

  /** Waits for its end. */
  boolean awaitEnd(Duration atMost) throws InterruptedException {
    return thread.join(atMost);
  }

  /** A round that fails is told and tried again: no failure ends a loop. */
  private void run() {
    try {
      while (!stopped) {
        Thread.sleep(oneRound());
      }
    } catch (InterruptedException e) {
      // Only stop() interrupts, and this thread ends here.
    }
  }

  private Duration oneRound() throws InterruptedException {
    try {
      return round.run();
    } catch (RuntimeException e) {
      if (!stopped) {
        observer.roundFailed(name, e);
      }
      return pauseAfterFailure;
    }
  }
}
