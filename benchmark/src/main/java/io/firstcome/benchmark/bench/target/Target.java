package io.firstcome.benchmark.bench.target;

import io.firstcome.benchmark.bench.report.Cost;
import io.firstcome.benchmark.bench.report.Measure;
import io.firstcome.benchmark.bench.report.Pair;
import io.firstcome.benchmark.bench.report.Plot;
import java.util.List;

/**
 * One performance target, or a part of it, measured in rounds.
 *
 * <p>A round measures the reference, then the figure, or compares the figure with its limit. So
 * reference and figure alternate, and a temporary slowdown of the machine affects both.
 */
public interface Target extends AutoCloseable {

  /** What a round measures. */
  List<Measure> measures();

  /** The number of rounds. */
  int rounds();

  /**
   * Starts and warms up what the rounds need.
   *
   * @throws io.firstcome.benchmark.bench.load.MissingProgramException if a program is not installed
   */
  void prepare() throws InterruptedException;

  /** Runs a round and returns a pair for each measure, in their order. */
  List<Pair> round() throws InterruptedException;

  /** Plots of the rounds. */
  default List<Plot> plots() {
    return List.of();
  }

  /** The processor time of the requests of the rounds. */
  default List<Cost> costs() {
    return List.of();
  }

  /** Stops what this target alone has started. */
  @Override
  default void close() {}
}
