package io.firstcome.bootstrap.operation;

import io.firstcome.domain.port.IssuanceObserver;
import java.time.Duration;
import java.util.concurrent.ThreadFactory;

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
  private final Pauses pauses;
  private final IssuanceObserver observer;
  private final Thread thread;
  private int failuresInARow;
  private volatile boolean stopped;

  /**
   * How long it waits after a round that failed.
   *
   * @param first after one failure
   * @param longest after many in a row; each wait is twice that before it up to this
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

  /** Asks it to stop; a round under way is interrupted. */
  void stop() {
    stopped = true;
    thread.interrupt();
  }

  /** Waits for its end. */
  boolean awaitEnd(Duration atMost) throws InterruptedException {
    return thread.join(atMost);
  }

  /** Whether its thread has ended although nothing asked it to stop. */
  boolean hasDied() {
    return !stopped && thread.getState() == Thread.State.TERMINATED;
  }

  /** Only {@link #stop} ends it. */
  private void run() {
    while (!stopped) {
      try {
        Thread.sleep(oneRound());
      } catch (InterruptedException e) {
        // By stop(), or else by mistake: then the next round begins at once.
      }
    }
  }

  /**
   * A round that fails is reported and tried again, an {@link Error} too: what one round lacked,
   * such as memory, the next one may have, and the other loops' work does not depend on this one's.
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
      observer.roundFailed(name, failure);
    } catch (RuntimeException | Error e) {
      // Without memory for a log line there may be enough for the next round.
    }
  }
}
