package io.firstcome.benchmark.bench.report;

import java.util.Arrays;

/** The median, which one bad round does not move. */
public final class Median {

  private Median() {}

  /** The middle one, or the mean of the two in the middle. */
  public static double of(double... values) {
    if (values.length == 0) {
      throw new IllegalArgumentException("no median of nothing");
    }
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int middle = sorted.length / 2;
    boolean odd = sorted.length % 2 == 1;
    return odd ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }
}
