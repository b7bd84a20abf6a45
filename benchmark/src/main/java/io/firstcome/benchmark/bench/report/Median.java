package io.firstcome.benchmark.bench.report;

import java.util.Arrays;

/** The median, which a single outlier does not change much. */
public final class Median {

  private Median() {}

  /** The middle value, or the mean of the two middle values. */
  public static double of(double... values) {
    if (values.length == 0) {
      throw new IllegalArgumentException("no values for a median");
    }
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int middle = sorted.length / 2;
    boolean odd = sorted.length % 2 == 1;
    return odd ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }
}
