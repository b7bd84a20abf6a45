package io.firstcome.benchmark.bench.target;

import io.firstcome.benchmark.bench.report.Goal;
import io.firstcome.benchmark.bench.report.Measure;
import io.firstcome.benchmark.bench.report.Pair;
import io.firstcome.benchmark.bench.stack.ServiceStack;
import io.firstcome.benchmark.bench.stack.ServiceStack.Pipeline;
import java.time.Duration;
import java.util.List;

/** P2-tracing: claims while one per cent of them is traced, against claims without traces. */
public final class TracedClaims implements Target {

  /**
   * Spans are exported in batches, every five seconds by default, and once more after a failure.
   */
  private static final Duration EXPORT_LIMIT = Duration.ofSeconds(30);

  private final Bench bench;

  public TracedClaims(Bench bench) {
    this.bench = bench;
  }

  @Override
  public List<Measure> measures() {
    return List.of(
        new Measure(
            "P2-tracing",
            "HTTP, every claim wins, while 1 % of the claims are traced",
            "requests/s",
            "with traces",
            "without traces",
            Goal.atLeast(0.98)));
  }

  @Override
  public int rounds() {
    return bench.scale().rounds();
  }

  @Override
  public void prepare() {
    String coupon = bench.warmStack(Pipeline.TRACED).define(Bench.ENDLESS_PIECES);
    traced(coupon, bench.scale().warmUp());
    bench.settle(Pipeline.TRACED);
  }

  @Override
  public List<Pair> round() {
    String coupon = bench.stack(Pipeline.TRACED).define(Bench.ENDLESS_PIECES);
    Duration time = bench.scale().load();
    return List.of(bench.betweenLoads(Pipeline.TRACED, coupon, () -> traced(coupon, time)));
  }

  private double traced(String coupon, Duration time) {
    ServiceStack stack = bench.stack(Pipeline.TRACED);
    stack.trace(coupon, true);
    long exported = stack.spansExported();
    long missing = stack.spansMissing();
    double rate =
        bench.wrk().post(stack.url(ServiceStack.claimPath(coupon)), time).successesPerSecond();
    bench.settle(Pipeline.TRACED);
    stack.trace(coupon, false);
    stack.awaitSpansExported(exported + 1, EXPORT_LIMIT);
    if (stack.spansMissing() > missing) {
      throw new IllegalStateException("spans are missing");
    }
    return rate;
  }
}
