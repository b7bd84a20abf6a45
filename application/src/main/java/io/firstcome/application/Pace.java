package io.firstcome.application;

import java.time.Duration;

/**
 * How fast work goes on that nobody waits for. It rests after each page of it, and not at its end:
 * whoever claims meanwhile shares the servers with a page and never with a whole coupon.
 */
@FunctionalInterface
public interface Pace {

  /** For work that somebody waits for. */
  Pace WITHOUT_REST = work -> {};

  /** Called after a page of work, which took that long; may wait. */
  void restAfter(Duration work);

  /**
   * Rests so many times as long as the work took, which leaves the work that share of one thread,
   * and of what the servers do for one. An interrupted thread rests no more.
   */
  static Pace resting(int timesTheWork) {
    return work -> {
      try {
        Thread.sleep(work.multipliedBy(timesTheWork));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    };
  }
}
