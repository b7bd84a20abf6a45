package io.firstcome.benchmark.bench.report;

/**
 * What one round measured, and what it is held against: measured in the same round, or a limit.
 * Both in the unit of the measure.
 */
public record Pair(double figure, double reference) {

  public Pair {
    if (!Double.isFinite(figure) || !Double.isFinite(reference) || reference <= 0) {
      throw new IllegalArgumentException(
          "no ratio can be made of %s and %s".formatted(figure, reference));
    }
  }

  public double ratio() {
    return figure / reference;
  }
}
