package io.firstcome.benchmark.bench.report;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A measurement: a ratio of two figures.
 *
 * @param id the target, P for claims and W for waiting rooms, and after a hyphen its part if it has
 *     several: {@code P7-idle}
 * @param what is measured, in words
 * @param unit of both figures
 * @param figure name of the measured figure
 * @param reference name of the figure that it is compared with
 * @param goal null if the ratio is only reported
 */
public record Measure(
    String id, String what, String unit, String figure, String reference, @Nullable Goal goal) {

  private static final Pattern ID = Pattern.compile("[PW]([1-9][0-9]?)(-[a-z]+)*");

  public Measure {
    if (!ID.matcher(id).matches()) {
      throw new IllegalArgumentException("not the id of a target: '%s'".formatted(id));
    }
  }

  /** A measure without a goal. */
  public static Measure reported(
      String id, String what, String unit, String figure, String reference) {
    return new Measure(id, what, unit, figure, reference, null);
  }
}
