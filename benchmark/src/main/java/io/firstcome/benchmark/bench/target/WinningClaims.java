package io.firstcome.benchmark.bench.target;

import io.firstcome.benchmark.bench.load.Wrk;
import io.firstcome.benchmark.bench.report.Cost;
import io.firstcome.benchmark.bench.report.Goal;
import io.firstcome.benchmark.bench.report.Measure;
import io.firstcome.benchmark.bench.report.Pair;
import io.firstcome.benchmark.bench.stack.ServiceStack;
import io.firstcome.benchmark.bench.stack.ServiceStack.Pipeline;
import java.time.Duration;
import java.util.List;

/** P2: claims over HTTP while every claim wins, against the no-op in the same server. */
public final class WinningClaims implements Target {

  private final Bench bench;
  private final Pipeline pipeline;
  private final CostMeter noOpCost;
  private final CostMeter claimCost;

  public WinningClaims(Bench bench, Pipeline pipeline) {
    this.bench = bench;
    this.pipeline = pipeline;
    String id = measures().getFirst().id();
    this.noOpCost = new CostMeter(id + ": no-op");
    this.claimCost = new CostMeter(id + ": claim");
  }

  @Override
  public List<Measure> measures() {
    Measure measure =
        switch (pipeline) {
          case WHOLE ->
              new Measure(
                  "P2",
                  "HTTP, every claim wins, rows written meanwhile",
                  "requests/s",
                  "claims accepted",
                  "no-op",
                  Goal.atLeast(0.5));
          case STOPPED ->
              new Measure(
                  "P2-stopped",
                  "HTTP, every claim wins, relay and recorder stopped",
                  "requests/s",
                  "claims accepted",
                  "no-op",
                  Goal.atLeast(0.75));
        };
    return List.of(measure);
  }

  @Override
  public int rounds() {
    return bench.scale().rounds();
  }

  @Override
  public void prepare() {
    bench.warmStack(pipeline);
  }

  @Override
  public List<Pair> round() {
    Wrk wrk = bench.wrk();
    ServiceStack stack = bench.stack(pipeline);
    String coupon = stack.define(Bench.ENDLESS_PIECES);
    Duration time = bench.scale().load();
    String noOp = stack.url(ServiceStack.noOpPath(coupon));
    String claim = stack.url(ServiceStack.claimPath(coupon));
    double noOps = noOpCost.measure(stack, () -> wrk.post(noOp, time)).successesPerSecond();
    double claims = claimCost.measure(stack, () -> wrk.post(claim, time)).successesPerSecond();
    if (pipeline == Pipeline.STOPPED && stack.handoffDepth() == 0) {
      throw new IllegalStateException("relay and recorder were not stopped");
    }
    bench.settle(pipeline);
    return List.of(new Pair(claims, noOps));
  }

  @Override
  public List<Cost> costs() {
    return List.of(noOpCost.median(), claimCost.median());
  }
}
