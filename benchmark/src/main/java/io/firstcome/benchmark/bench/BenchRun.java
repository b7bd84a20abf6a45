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
import io.firstcome.benchmark.code.CodeRun;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

/** Measures targets one after the other, each in rounds, and makes the report of them. */
final class BenchRun {

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
   * @param machine as it was before anything was started
   * @param progress told what is done now
   */
  BenchRun(Bench bench, Machine machine, Consumer<String> progress) {
    this.bench = bench;
    this.machine = machine;
    this.progress = progress;
  }

  /** One that cannot be measured does not keep the others from it. */
  void measure(List<Target> targets) throws InterruptedException {
    for (Target target : targets) {
      try (target) {
        rounds(target);
      } catch (MissingProgramException e) {
        leaveOut(target, e.hint());
      } catch (RuntimeException e) {
        failed = true;
        leaveOut(target, "failed: " + reason(e));
      }
    }
  }

  /** Says of the targets that they are not measured. */
  void leaveOut(List<Target> targets, String reason) {
    targets.forEach(target -> leaveOut(target, reason));
  }

  /** Measures the pure code, on a machine on which nothing of the targets runs any more. */
  void measure(CodeRun codeRun) {
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

  private void leaveOut(Target target, String reason) {
    for (Measure measure : target.measures()) {
      notMeasured.put(measure.id(), reason);
      progress.accept("  %s is not measured: %s".formatted(measure.id(), reason));
    }
  }

  /** With the first cause, which says more than what it became. */
  private static String reason(Throwable failure) {
    if (failure.getCause() == null) {
      return failure.toString();
    }
    Throwable cause = failure.getCause();
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    return failure + ", because of " + cause;
  }

  /** Whether a target could not be measured for another reason than a program that is missing. */
  boolean hasFailed() {
    return failed;
  }

  /**
   * The report of what was measured by now.
   *
   * @param all whether these were all targets, at full scale
   */
  Report report(Instant startedAt, boolean all) {
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
