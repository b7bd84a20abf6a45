package io.firstcome.benchmark.code;

import io.firstcome.benchmark.bench.report.CodeFigure;
import java.util.Comparator;
import java.util.List;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Runs the JMH benchmarks in {@link PureCode}.
 *
 * @param forks number of JVMs, run one after the other; 0 runs in this JVM, which gives no reliable
 *     figures
 * @param iterations measured iterations in each JVM, after as many warm-up iterations
 * @param time duration of an iteration
 */
public record CodeRun(int forks, int iterations, TimeValue time) {

  private static final String ALLOCATED = "gc.alloc.rate.norm";

  /** The settings for figures that are reported. */
  public static CodeRun full() {
    return new CodeRun(3, 5, TimeValue.seconds(1));
  }

  /** The settings for a first impression. */
  public static CodeRun quick() {
    return new CodeRun(1, 1, TimeValue.milliseconds(300));
  }

  /**
   * Measures all benchmarks and returns their figures, sorted by name.
   *
   * @throws IllegalStateException if a benchmark failed
   */
  public List<CodeFigure> measure() {
    var options =
        new OptionsBuilder()
            .include(PureCode.class.getName())
            .forks(forks)
            .warmupIterations(iterations)
            .warmupTime(time)
            .measurementIterations(iterations)
            .measurementTime(time)
            .addProfiler(GCProfiler.class)
            .shouldFailOnError(true)
            .verbosity(VerboseMode.SILENT)
            .build();
    try {
      return new Runner(options)
          .run().stream()
              .map(CodeRun::figure)
              .sorted(Comparator.comparing(CodeFigure::name))
              .toList();
    } catch (RunnerException e) {
      throw new IllegalStateException("JMH failed", e);
    }
  }

  private static CodeFigure figure(RunResult run) {
    Result<?> time = run.getPrimaryResult();
    Result<?> allocated = run.getSecondaryResults().get(ALLOCATED);
    if (allocated == null) {
      throw new IllegalStateException("JMH did not report the allocated bytes");
    }
    return new CodeFigure(
        time.getLabel(), time.getScore(), time.getScoreError(), allocated.getScore());
  }
}
