package io.firstcome.devservices.launcher;

import java.util.Locale;

/** Numbers as people read them. */
final class Units {

  private static final double NANOS_PER_MILLI = 1e6;

  private static final double NANOS_PER_SECOND = 1e9;

  private Units() {}

  static String count(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  static String seconds(long nanos) {
    return String.format(Locale.ROOT, "%.1f s", nanos / NANOS_PER_SECOND);
  }

  static String millis(long nanos) {
    return String.format(Locale.ROOT, "%.1f ms", nanos / NANOS_PER_MILLI);
  }

  static String since(long startNanos) {
    return seconds(System.nanoTime() - startNanos);
  }

  static String perSecond(long count, long nanos) {
    return String.format(Locale.ROOT, "%,.0f", count * NANOS_PER_SECOND / Math.max(1, nanos));
  }

  /** With as many digits as say something: 12, 1.2, 0.012. */
  static String ratio(long part, long whole) {
    return String.format(Locale.ROOT, "%.3g", part / (double) Math.max(1, whole));
  }
}
