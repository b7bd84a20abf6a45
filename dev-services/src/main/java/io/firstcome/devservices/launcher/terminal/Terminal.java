package io.firstcome.devservices.launcher.terminal;

import java.io.PrintStream;

/**
 * The output for the user: permanent lines, and a progress line, which is shown only on a terminal.
 */
public final class Terminal {

  /** Back to the first column, and clear to the end of the line. */
  private static final String REDRAW = "\r\033[K";

  private final PrintStream out;
  private final boolean redraws;
  private boolean progressShown;

  /**
   * @param redraws whether the stream is a terminal
   */
  public Terminal(PrintStream out, boolean redraws) {
    this.out = out;
    this.redraws = redraws;
  }

  public synchronized void line(String text) {
    clear();
    out.println(text);
    out.flush();
  }

  public synchronized void progress(String text) {
    if (redraws) {
      out.print(REDRAW + text);
      out.flush();
      progressShown = true;
    }
  }

  /** Removes the progress line. */
  public synchronized void clear() {
    if (progressShown) {
      out.print(REDRAW);
      out.flush();
      progressShown = false;
    }
  }
}
