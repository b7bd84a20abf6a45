package io.firstcome.application;

import java.util.concurrent.CancellationException;

/** How far a comparison has come. One thread compares; any thread looks, or has it stopped. */
final class ComparisonProgress {

  private volatile RunProofs.Progress progress = new RunProofs.Progress(RunProofs.Phase.ROWS, 0, 0);
  private volatile boolean stopped;

  RunProofs.Progress now() {
    return progress;
  }

  /** Ends the comparison at its next page. */
  void stop() {
    stopped = true;
  }

  /**
   * A phase begins.
   *
   * @param expected about how many there are to compare in it
   * @throws CancellationException if the comparison was stopped
   */
  void begin(RunProofs.Phase phase, long expected) {
    progress = new RunProofs.Progress(phase, 0, expected);
    advance(0);
  }

  /**
   * So many more are compared.
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
  }
}
