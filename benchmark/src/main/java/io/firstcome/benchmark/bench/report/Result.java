package io.firstcome.benchmark.bench.report;

import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/** The result of a measure: all rounds, and their medians. */
public record Result(Measure measure, List<Pair> rounds) {

  public Result {
    rounds = List.copyOf(rounds);
    if (rounds.isEmpty()) {
      throw new IllegalArgumentException("%s has no round".formatted(measure.id()));
    }
  }

  /** The median of the rounds' ratios, which is not the ratio of the medians. */
  public double ratio() {
    return median(Pair::ratio);
  }

  public double figure() {
    return median(Pair::figure);
  }

  public double reference() {
    return median(Pair::reference);
  }

  /** Empty if there is no goal. */
  public Optional<Boolean> isMet() {
    return Optional.ofNullable(measure.goal()).map(goal -> goal.isMetBy(ratio()));
  }

  private double median(ToDoubleFunction<Pair> value) {
    return Median.of(rounds.stream().mapToDouble(value).toArray());
  }
}
