package io.firstcome.benchmark.bench.report;

import java.util.regex.Pattern;

/**
 * One thing that is measured, as a ratio of two figures.
 *
 * @param id the target, and after a hyphen which part of it where it has several: {@code P7-idle}
 * @param what in words
 * @param unit of both figures
 * @param figure what is measured
 * @param reference what it is held against
 */
public record Measure(
    String id, String what, String unit, String figure, String reference, Goal goal) {

  private static final Pattern ID = Pattern.compile("P([1-9][0-9]?)(-[a-z]+)?");

  public Measure {
    if (!ID.matcher(id).matches()) {
      throw new IllegalArgumentException("id is not that of a target: '%s'".formatted(id));
    }
  }
}
