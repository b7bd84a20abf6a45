package io.firstcome.benchmark.bench.report;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One thing that is measured, as a ratio of two figures.
 *
 * @param id the target, and after a hyphen which part of it where it has several: {@code P7-idle}
 * @param what in words
 * @param unit of both figures
 * @param figure what is measured
 * @param reference what it is held against
 * @param goal null where the ratio is only reported
 */
public record Measure(
    String id, String what, String unit, String figure, String reference, @Nullable Goal goal) {

  private static final Pattern ID = Pattern.compile("P([1-9][0-9]?)(-[a-z]+)*");

  public Measure {
    if (!ID.matcher(id).matches()) {
      throw new IllegalArgumentException("id is not that of a target: '%s'".formatted(id));
    }
  }

  /** One without a goal. */
  public static Measure reported(
      String id, String what, String unit, String figure, String reference) {
    return new Measure(id, what, unit, figure, reference, null);
  }
}
