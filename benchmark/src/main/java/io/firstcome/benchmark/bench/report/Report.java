package io.firstcome.benchmark.bench.report;

import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * All that a run came to.
 *
 * @param scale how much was done of everything, in words
 * @param complete whether all targets there are were measured at full scale
 * @param notMeasured why, by target
 * @param costs processor time of requests, by program
 * @param code what the pure code costs, if that was measured
 */
public record Report(
    Instant startedAt,
    String scale,
    boolean complete,
    Machine machine,
    List<Result> results,
    Map<String, String> notMeasured,
    List<Cost> costs,
    List<CodeFigure> code,
    List<Plot> plots) {

  public Report {
    results = List.copyOf(results);
    notMeasured = Map.copyOf(notMeasured);
    costs = List.copyOf(costs);
    code = List.copyOf(code);
    plots = List.copyOf(plots);
  }
}
