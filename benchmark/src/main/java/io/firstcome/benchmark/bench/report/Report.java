package io.firstcome.benchmark.bench.report;

import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * All results of a run.
 *
 * @param scale description of the scale
 * @param complete whether all targets were measured at full scale
 * @param notMeasured reason by measure that was not measured
 * @param costs processor time of requests, by program
 * @param code figures of the pure code, empty if it was not measured
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
