package io.firstcome.bootstrap.operation;

import io.firstcome.domain.observation.IssuanceObserver;
import io.firstcome.domain.observation.OperationObservation;
import java.time.Duration;
import java.util.concurrent.ThreadFactory;

/**
 * A thread that repeats a round of work until it is stopped. It is a platform thread: loops are
 * few, and must continue while requests use all carriers of virtual threads.
 */
public final class Loop {

  /** One round. */
  public interface Round {

    /**
     * Does the work that is due.
     *
     * @return how long to wait before the next round
     */
    Duration run() throws InterruptedException;
  }

  private final String name;
  private final Round round;
  private final Pauses pauses;
  private final IssuanceObserver observer;
  private final Thread thread;
  private int failuresInARow;
  private volatile boolean stopped;

  /**
   * The pauses after failed rounds.
   *
   * @param first after one failure
   * @param longest after many in a row; each failure doubles the pause up to this
   */
  record Pauses(Duration first, Duration longest) {

    private static final int MOST_DOUBLINGS = 20;

    static Pauses always(Duration pause) {
      return new Pauses(pause, pause);
    }

    Duration after(int failuresInARow) {
      int doublings = Math.min(failuresInARow - 1, MOST_DOUBLINGS);
      var doubled = first.multipliedBy(1L << doublings);
      return doubled.compareTo(longest) < 0 ? doubled : longest;
    }
  }

  Loop(String name, Round round, Pauses pauses, IssuanceObserver observer) {
    this(name, round, pauses, observer, Thread.ofPlatform().name(name).daemon().factory());
  }

  Loop(String name, Round round, Pauses pauses, IssuanceObserver observer, ThreadFactory threads) {
    this.name = name;
    this.round = round;
    this.pauses = pauses;
    this.observer = observer;
    this.thread = threads.newThread(this::run);
  }

  String name() {
    return name;
  }

  void start() {
    thread.start();
  }

  /** Requests the stop and interrupts the current round. */
  void stop() {
    stopped = true;
    thread.interrupt();
  }

  /** Waits until the thread has ended. */
  boolean awaitEnd(Duration atMost) throws InterruptedException {
    return thread.join(atMost);
  }

  /** Whether the thread has ended without being stopped. */
  boolean hasDied() {
    return !stopped && thread.getState() == Thread.State.TERMINATED;
  }

  /** Runs rounds until {@link #stop}. */
  private void run() {
    while (!stopped) {
      try {
        Thread.sleep(oneRound());
      } catch (InterruptedException e) {
        // By stop(); after any other interrupt the next round begins at once.
      }
    }
  }

  /**
   * Runs one round. A failure is reported and retried, also an {@link Error}: a resource that one
   * round lacked, such as memory, may be available to the next one.
   */
  private Duration oneRound() throws InterruptedException {
    try {
      var pause = round.run();
      failuresInARow = 0;
      return pause;
    } catch (RuntimeException | Error e) {
      if (!stopped) {
        report(e);
      }
      failuresInARow++;
      return pauses.after(failuresInARow);
    }
  }

  private void report(Throwable failure) {
    try {
      observer.observe(new OperationObservation.RoundFailed(name, failure));
    } catch (RuntimeException | Error e) {
      // The next round may succeed even if there is no memory for a log line now.
    }
  }
}
