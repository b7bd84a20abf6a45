package io.firstcome.devservices.launcher.terminal;

import java.util.Locale;

/** Formats numbers with units for the report. */
public final class Units {

  private static final double NANOS_PER_MILLI = 1e6;

  private static final double NANOS_PER_SECOND = 1e9;

  private Units() {}

  public static String count(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  public static String seconds(long nanos) {
    return String.format(Locale.ROOT, "%.1f s", nanos / NANOS_PER_SECOND);
  }

  public static String millis(long nanos) {
    return String.format(Locale.ROOT, "%.1f ms", nanos / NANOS_PER_MILLI);
  }

  public static String since(long startNanos) {
    return seconds(System.nanoTime() - startNanos);
  }

  public static String perSecond(long count, long nanos) {
    return String.format(Locale.ROOT, "%,.0f", count * NANOS_PER_SECOND / Math.max(1, nanos));
  }

  /** With three significant digits: 12.0, 1.20, 0.0120. */
  public static String ratio(long part, long whole) {
    return String.format(Locale.ROOT, "%.3g", part / (double) Math.max(1, whole));
  }
}
