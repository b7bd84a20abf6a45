package io.firstcome.benchmark.bench.report;

/**
 * The figure of one round and its reference: a figure of the same round, or a limit. Both in the
 * unit of the measure.
 */
public record Pair(double figure, double reference) {

  public Pair {
    if (!Double.isFinite(figure) || !Double.isFinite(reference) || reference <= 0) {
      throw new IllegalArgumentException("no ratio of %s and %s".formatted(figure, reference));
    }
  }

  public double ratio() {
    return figure / reference;
  }
}
