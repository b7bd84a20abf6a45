package io.firstcome.systemtests.agent;

/**
 * The content of the file that a halted JVM leaves.
 *
 * @param nanos the time of the halt by {@link System#nanoTime()}, which is one clock for all
 *     processes of the machines that these tests run on
 */
public record HaltMarker(HaltPoint point, long nanos) {

  private static final String SEPARATOR = "\t";

  /** Reads what {@link #text()} writes. */
  public static HaltMarker parse(String text) {
    var parts = text.split(SEPARATOR, 2);
    if (parts.length < 2) {
      throw new IllegalArgumentException("a marker is a point and a time: '%s'".formatted(text));
    }
    return new HaltMarker(HaltPoint.parse(parts[0]), Long.parseLong(parts[1]));
  }

  String text() {
    return point + SEPARATOR + nanos;
  }
}
