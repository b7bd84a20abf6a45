package io.firstcome.benchmark.bench.report;

import java.util.Locale;

/** Formats figures for tables. */
final class Figures {

  private static final double LARGE = 1_000;
  private static final double MEDIUM = 10;

  private Figures() {}

  /** Rounds to a useful number of digits: 12,345, 12.3, 0.123. */
  static String text(double figure) {
    double size = Math.abs(figure);
    String format = size >= LARGE ? "%,.0f" : size >= MEDIUM ? "%.1f" : "%.3f";
    return String.format(Locale.ROOT, format, figure);
  }

  static String ratio(double ratio) {
    return String.format(Locale.ROOT, "%.3f", ratio);
  }

  static String goal(Measure measure) {
    return measure.goal() == null ? "" : measure.goal().toString();
  }
}
