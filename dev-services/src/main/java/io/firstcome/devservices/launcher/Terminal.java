package io.firstcome.devservices.launcher;

import java.io.PrintStream;

/**
 * What the user sees: lines that stay, and a progress line, which a terminal redraws and which
 * anything else does not get.
 */
final class Terminal {

  /** Back to the first column, and clear to the end of the line. */
  private static final String REDRAW = "\r\033[K";

  private final PrintStream out;
  private final boolean redraws;
  private boolean progressShown;

  /**
   * @param redraws whether the stream ends at a terminal
   */
  Terminal(PrintStream out, boolean redraws) {
    this.out = out;
    this.redraws = redraws;
  }

  synchronized void line(String text) {
    clear();
    out.println(text);
    out.flush();
  }

  synchronized void progress(String text) {
    if (redraws) {
      out.print(REDRAW + text);
      out.flush();
      progressShown = true;
    }
  }

  /** Takes the progress line away. */
  synchronized void clear() {
    if (progressShown) {
      out.print(REDRAW);
      out.flush();
      progressShown = false;
    }
  }
}
