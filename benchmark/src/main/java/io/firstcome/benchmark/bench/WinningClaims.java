package io.firstcome.benchmark.bench;

import io.firstcome.benchmark.bench.load.Wrk;
import io.firstcome.benchmark.bench.report.Goal;
import io.firstcome.benchmark.bench.report.Measure;
import io.firstcome.benchmark.bench.report.Pair;
import io.firstcome.benchmark.bench.stack.ServiceStack;
import io.firstcome.benchmark.bench.stack.ServiceStack.Pipeline;
import java.time.Duration;
import java.util.List;

/** P2: claims over HTTP while every claim wins, against the no-op in the same server. */
final class WinningClaims implements Target {

  private final Bench bench;
  private final Pipeline pipeline;

  WinningClaims(Bench bench, Pipeline pipeline) {
    this.bench = bench;
    this.pipeline = pipeline;
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
    double noOps = wrk.post(stack.url(ServiceStack.noOpPath(coupon)), time).successesPerSecond();
    double claims = wrk.post(stack.url(ServiceStack.claimPath(coupon)), time).successesPerSecond();
    if (pipeline == Pipeline.STOPPED && stack.handoffDepth() == 0) {
      throw new IllegalStateException("relay and recorder were not stopped");
    }
    bench.settle(pipeline);
    return List.of(new Pair(claims, noOps));
  }
}
