package io.firstcome.benchmark.bench;

import io.firstcome.benchmark.bench.load.MissingProgramException;
import io.firstcome.benchmark.bench.report.CodeFigure;
import io.firstcome.benchmark.bench.report.Cost;
import io.firstcome.benchmark.bench.report.Machine;
import io.firstcome.benchmark.bench.report.Measure;
import io.firstcome.benchmark.bench.report.Pair;
import io.firstcome.benchmark.bench.report.Plot;
import io.firstcome.benchmark.bench.report.Report;
import io.firstcome.benchmark.bench.report.Result;
import io.firstcome.benchmark.bench.target.Bench;
import io.firstcome.benchmark.bench.target.Target;
import io.firstcome.benchmark.code.CodeRun;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

/** Measures targets one after the other, each in rounds, and creates their report. */
public final class BenchRun {

  private final Bench bench;
  private final Machine machine;
  private final Consumer<String> progress;
  private final List<Result> results = new ArrayList<>();
  private final List<Plot> plots = new ArrayList<>();
  private final List<Cost> costs = new ArrayList<>();
  private List<CodeFigure> code = List.of();
  private final Map<String, String> notMeasured = new HashMap<>();
  private boolean failed;

  /**
   * @param machine its state before anything was started
   * @param progress receives a message for each step
   */
  public BenchRun(Bench bench, Machine machine, Consumer<String> progress) {
    this.bench = bench;
    this.machine = machine;
    this.progress = progress;
  }

  /** Measures the targets; a failed one is reported, and the others are measured. */
  public void measure(List<Target> targets) throws InterruptedException {
    for (Target target : targets) {
      try (target) {
        rounds(target);
      } catch (MissingProgramException e) {
        skip(target, e.hint());
      } catch (RuntimeException e) {
        failed = true;
        skip(target, "failed: " + reason(e));
      }
    }
  }

  /** Reports the targets as not measured. */
  void skip(List<Target> targets, String reason) {
    targets.forEach(target -> skip(target, reason));
  }

  /** Stops the servers of the targets and measures the pure code. */
  public void measure(CodeRun codeRun) {
    bench.close();
    progress.accept("pure code, with JMH");
    code = codeRun.measure();
  }

  private void rounds(Target target) throws InterruptedException {
    List<Measure> measures = target.measures();
    progress.accept("%s: %s".formatted(measures.getFirst().id(), measures.getFirst().what()));
    target.prepare();
    List<List<Pair>> rounds = new ArrayList<>();
    for (int round = 1; round <= target.rounds(); round++) {
      List<Pair> pairs = target.round();
      rounds.add(pairs);
      for (int i = 0; i < pairs.size(); i++) {
        progress.accept(line(measures.get(i), round, pairs.get(i)));
      }
    }
    for (int i = 0; i < measures.size(); i++) {
      int measure = i;
      results.add(
          new Result(measures.get(i), rounds.stream().map(pairs -> pairs.get(measure)).toList()));
    }
    plots.addAll(target.plots());
    costs.addAll(target.costs());
  }

  private static String line(Measure measure, int round, Pair pair) {
    return String.format(
        Locale.ROOT,
        "  %s round %d: %,.3f against %,.3f %s: %.3f",
        measure.id(),
        round,
        pair.figure(),
        pair.reference(),
        measure.unit(),
        pair.ratio());
  }

  private void skip(Target target, String reason) {
    for (Measure measure : target.measures()) {
      notMeasured.put(measure.id(), reason);
      progress.accept("  %s is not measured: %s".formatted(measure.id(), reason));
    }
  }

  /** Includes the root cause, which is more specific. */
  private static String reason(Throwable failure) {
    if (failure.getCause() == null) {
      return failure.toString();
    }
    Throwable cause = failure.getCause();
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    return failure + ", caused by " + cause;
  }

  /** Whether a target was not measured for another reason than a missing program. */
  boolean hasFailed() {
    return failed;
  }

  /**
   * The report of what was measured so far.
   *
   * @param all whether these were all targets, at full scale
   */
  public Report report(Instant startedAt, boolean all) {
    return new Report(
        startedAt,
        bench.scale().name(),
        all && notMeasured.isEmpty(),
        machine.with(bench.versions()),
        results.stream()
            .sorted(Comparator.comparing(result -> result.measure().id(), TargetOrder.BY_NUMBER))
            .toList(),
        notMeasured,
        costs,
        code,
        plots);
  }
}
