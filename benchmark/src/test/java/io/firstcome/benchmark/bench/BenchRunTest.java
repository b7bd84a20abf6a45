package io.firstcome.benchmark.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.benchmark.bench.report.Goal;
import io.firstcome.benchmark.bench.report.Machine;
import io.firstcome.benchmark.bench.report.Measure;
import io.firstcome.benchmark.bench.report.Pair;
import io.firstcome.benchmark.bench.report.Report;
import io.firstcome.benchmark.bench.report.Result;
import io.firstcome.benchmark.bench.stack.BenchFolder;
import io.firstcome.benchmark.bench.target.Bench;
import io.firstcome.benchmark.bench.target.Scale;
import io.firstcome.benchmark.bench.target.Target;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BenchRunTest {

  private final List<String> steps = new ArrayList<>();
  private final Bench bench =
      new Bench(new BenchFolder(Path.of("none"), Path.of("none")), Scale.quick());
  private final BenchRun run =
      new BenchRun(bench, new Machine(2, 1, "", "", 0, 0, Map.of()), line -> {});

  /** A target whose rounds return the given figures. */
  private class FixedTarget implements Target {

    private final String id;
    private final double[] figures;
    private int next;

    FixedTarget(String id, double... figures) {
      this.id = id;
      this.figures = figures;
    }

    @Override
    public List<Measure> measures() {
      return List.of(new Measure(id, "what", "s", "figure", "reference", Goal.atLeast(1)));
    }

    @Override
    public int rounds() {
      return figures.length;
    }

    @Override
    public void prepare() {
      steps.add(id + " prepared");
    }

    @Override
    public List<Pair> round() {
      steps.add(id + " round");
      return List.of(new Pair(figures[next++], 1));
    }

    @Override
    public void close() {
      steps.add(id + " closed");
    }
  }

  private Report report() {
    return run.report(Instant.EPOCH, true);
  }

  @Test
  void each_target_is_prepared_measured_in_rounds_and_closed() throws InterruptedException {
    run.measure(List.of(new FixedTarget("P10", 1, 3, 2), new FixedTarget("P2", 5)));

    assertThat(steps)
        .containsExactly(
            "P10 prepared",
            "P10 round",
            "P10 round",
            "P10 round",
            "P10 closed",
            "P2 prepared",
            "P2 round",
            "P2 closed");
    assertThat(report().results())
        .extracting(result -> result.measure().id())
        .containsExactly("P2", "P10");
    assertThat(report().results()).extracting(Result::ratio).containsExactly(5.0, 2.0);
    assertThat(report().complete()).isTrue();
    assertThat(run.hasFailed()).isFalse();
  }

  @Test
  void a_target_that_fails_is_told_and_the_others_are_measured() throws InterruptedException {
    Target failing =
        new FixedTarget("P3", 1, 2) {
          @Override
          public List<Pair> round() {
            throw new IllegalStateException("refused");
          }
        };

    run.measure(List.of(failing, new FixedTarget("P4", 1)));

    assertThat(steps)
        .containsExactly("P3 prepared", "P3 closed", "P4 prepared", "P4 round", "P4 closed");
    assertThat(report().notMeasured().get("P3")).contains("failed").contains("refused");
    assertThat(report().results()).hasSize(1);
    assertThat(report().complete()).isFalse();
    assertThat(run.hasFailed()).isTrue();
  }

  @Test
  void the_targets_of_the_design_are_there_in_the_order_of_their_numbers() {
    assertThat(Targets.ids())
        .containsExactly(
            "P1",
            "P2",
            "P2-consoles",
            "P2-retention",
            "P2-stopped",
            "P2-tracing",
            "P3",
            "P4",
            "P5",
            "P6",
            "P7",
            "P8",
            "P9",
            "P10",
            "P11",
            "P12",
            "P13",
            "W1",
            "W2",
            "W3",
            "W5",
            "W6");
    assertThat(Targets.of(List.of("P4", "P7"), bench))
        .flatExtracting(Target::measures)
        .extracting(Measure::id)
        .containsExactly("P4", "P4-durable", "P4-sellout", "P7", "P7-idle");
    assertThat(Targets.of(List.of("P2-tracing"), bench))
        .flatExtracting(Target::measures)
        .extracting(Measure::id)
        .containsExactly("P2-tracing");
    assertThat(Targets.of(List.of("P2"), bench))
        .flatExtracting(Target::measures)
        .extracting(Measure::id)
        .contains("P2", "P2-consoles", "P2-tracing");
  }

  @Test
  void a_quick_run_measures_each_of_them_or_says_that_it_does_not() {
    run.skip(Targets.tooLongForQuick(bench), "too long");

    assertThat(Targets.quick(bench))
        .flatExtracting(Target::measures)
        .extracting(Measure::id)
        .contains("P1", "P2", "P2-row", "P3", "P4", "P5-lock", "P6", "P7", "P8", "P10", "P12")
        .doesNotContainAnyElementsOf(report().notMeasured().keySet());
    assertThat(report().notMeasured())
        .containsOnlyKeys(
            "P11",
            "P2-consoles",
            "P2-retention",
            "P2-stopped",
            "P2-tracing",
            "P5-http-lock",
            "P5-http-skip",
            "P5-http-stream",
            "P9",
            "P9-whole",
            "W1",
            "W2",
            "W2-calls",
            "W3",
            "W4-admit",
            "W4-claim",
            "W5",
            "W6");
  }
}
