package io.firstcome.benchmark.bench.target;

import io.firstcome.benchmark.bench.load.Wrk;
import io.firstcome.benchmark.bench.report.Goal;
import io.firstcome.benchmark.bench.report.Measure;
import io.firstcome.benchmark.bench.report.Pair;
import io.firstcome.benchmark.bench.stack.ServiceStack;
import io.firstcome.benchmark.bench.stack.ServiceStack.Pipeline;
import java.time.Duration;
import java.util.List;

/** P11: claims in the first seconds after the service is ready, against the same service warm. */
public final class FreshStart implements Target {

  private static final Duration FIRST = Duration.ofSeconds(5);

  private final Bench bench;

  public FreshStart(Bench bench) {
    this.bench = bench;
  }

  @Override
  public List<Measure> measures() {
    return List.of(
        new Measure(
            "P11",
            "HTTP, every claim wins, the first %d s after ready".formatted(FIRST.toSeconds()),
            "requests/s",
            "fresh",
            "warm",
            Goal.atLeast(0.5)));
  }

  @Override
  public int rounds() {
    return bench.scale().rounds();
  }

  /** Each round starts the service itself. */
  @Override
  public void prepare() {}

  @Override
  public List<Pair> round() {
    bench.close();
    Wrk wrk = bench.wrk();
    ServiceStack stack = bench.stack(Pipeline.WHOLE);
    String claims = stack.url(ServiceStack.claimPath(stack.define(Bench.ENDLESS_PIECES)));
    double fresh = wrk.post(claims, FIRST).successesPerSecond();
    wrk.post(claims, bench.scale().warmUp());
    bench.settle(Pipeline.WHOLE);
    double warm = wrk.post(claims, FIRST).successesPerSecond();
    bench.settle(Pipeline.WHOLE);
    return List.of(new Pair(fresh, warm));
  }
}
