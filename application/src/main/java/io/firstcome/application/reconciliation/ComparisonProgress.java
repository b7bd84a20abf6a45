package io.firstcome.application.reconciliation;

import java.util.concurrent.CancellationException;

/**
 * The progress of a comparison. One thread compares; any thread can read it or stop the comparison.
 */
final class ComparisonProgress {

  private final Runnable afterEachPage;
  private volatile RunProofs.Progress progress = new RunProofs.Progress(RunProofs.Phase.ROWS, 0, 0);
  private volatile boolean stopped;

  /**
   * @param afterEachPage called by the thread that compares
   */
  ComparisonProgress(Runnable afterEachPage) {
    this.afterEachPage = afterEachPage;
  }

  RunProofs.Progress now() {
    return progress;
  }

  /** Ends the comparison at its next page. */
  void stop() {
    stopped = true;
  }

  /**
   * Begins a phase.
   *
   * @param expected approximate number of items to compare in it
   * @throws CancellationException if the comparison was stopped
   */
  void begin(RunProofs.Phase phase, long expected) {
    progress = new RunProofs.Progress(phase, 0, expected);
    advance(0);
  }

  /**
   * Adds compared items.
   *
   * @throws CancellationException if the comparison was stopped
   */
  void advance(int compared) {
    if (stopped) {
      throw new CancellationException("the comparison was stopped");
    }
    var before = progress;
    progress =
        new RunProofs.Progress(before.phase(), before.compared() + compared, before.expected());
    afterEachPage.run();
  }
}
