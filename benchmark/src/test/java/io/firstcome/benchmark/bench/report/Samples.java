package io.firstcome.benchmark.bench.report;

import java.time.Instant;
import java.util.List;
import java.util.Map;

/** Made-up reports for tests. */
final class Samples {

  private Samples() {}

  static Measure measure(String id, Goal goal) {
    return new Measure(id, "HTTP", "requests/s", "claims", "no-op", goal);
  }

  static Machine machine(double loadAverage) {
    return new Machine(
        2, 8_192, "Some VM 25", "Linux 6", loadAverage, 0.05, Map.of("Redis", "7.0.15"));
  }

  static Report report() {
    return new Report(
        Instant.parse("2026-02-03T04:05:06Z"),
        "at full scale",
        true,
        machine(0.1),
        List.of(
            new Result(
                measure("P2", Goal.atLeast(0.5)),
                List.of(
                    new Pair(12_000, 20_000), new Pair(8_000, 20_000), new Pair(9_000, 20_000))),
            new Result(
                Measure.reported("P5-http-lock", "HTTP", "wins/s", "service", "row lock"),
                List.of(new Pair(8_000, 500))),
            new Result(measure("P7", Goal.atMost(1)), List.of(new Pair(4.5, 10)))),
        Map.of("P4", "not written yet"),
        List.of(
            new Cost("claim", List.of(new Cost.Part("service", 60), new Cost.Part("Redis", 12.5)))),
        List.of(new CodeFigure("identity", 1_234.0, 12.3, 320)),
        List.of(plot()));
  }

  static Plot plot() {
    return new Plot(
        "depth",
        "Depth & <time>",
        "seconds",
        "entries",
        List.of(),
        List.of(
            new Plot.Line("a", List.of(new Plot.Point(0, 0), new Plot.Point(10, 50))),
            new Plot.Line("b", List.of(new Plot.Point(5, 25)))));
  }
}
