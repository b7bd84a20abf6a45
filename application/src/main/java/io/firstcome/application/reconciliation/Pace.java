package io.firstcome.application.reconciliation;

import java.time.Duration;

/**
 * The pace of background work. It rests after each page, and not at the end: concurrent claims
 * share the servers with a page and never with a whole coupon.
 */
@FunctionalInterface
public interface Pace {

  /** For work that a caller waits for. */
  Pace WITHOUT_REST = work -> {};

  /** Called after a page of work, with its duration; may wait. */
  void restAfter(Duration work);

  /**
   * Rests {@code timesTheWork} times as long as the work took, which limits the work's share of one
   * thread and of the servers. An interrupted thread does not rest.
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
