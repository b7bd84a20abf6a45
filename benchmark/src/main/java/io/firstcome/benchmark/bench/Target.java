package io.firstcome.benchmark.bench;

import io.firstcome.benchmark.bench.report.Cost;
import io.firstcome.benchmark.bench.report.Measure;
import io.firstcome.benchmark.bench.report.Pair;
import io.firstcome.benchmark.bench.report.Plot;
import java.util.List;

/**
 * One target of the design, or a part of it, that is measured in rounds.
 *
 * <p>A round measures the reference, then the figure, or checks the figure against its limit; so
 * the rounds of a target measure them in turns, and what is slow on the machine for a while is so
 * for both.
 */
interface Target extends AutoCloseable {

  /** What a round measures. */
  List<Measure> measures();

  /** How often it is measured. */
  int rounds();

  /**
   * Starts and warms up what the rounds need.
   *
   * @throws io.firstcome.benchmark.bench.load.MissingProgramException if this machine lacks it
   */
  void prepare() throws InterruptedException;

  /** A pair for each measure, in their order. */
  List<Pair> round() throws InterruptedException;

  /** What the rounds have to show beyond their pairs. */
  default List<Plot> plots() {
    return List.of();
  }

  /** What the requests of the rounds cost. */
  default List<Cost> costs() {
    return List.of();
  }

  /** Ends what this target alone has started. */
  @Override
  default void close() {}
}
