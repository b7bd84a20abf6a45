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
  private final Measure measure;
  private final CostMeter noOpCost;
  private final CostMeter claimCost;

  private WinningClaims(Bench bench, Pipeline pipeline, Measure measure) {
    this.bench = bench;
    this.pipeline = pipeline;
    this.measure = measure;
    this.noOpCost = new CostMeter(measure.id() + ": no-op");
    this.claimCost = new CostMeter(measure.id() + ": claim");
  }

  /** With the whole pipeline. */
  public static WinningClaims recorded(Bench bench) {
    return new WinningClaims(
        bench,
        Pipeline.WHOLE,
        measure("P2", "HTTP, every claim wins, rows written meanwhile", 0.58));
  }

  /** With relay and recorder stopped. */
  public static WinningClaims unrecorded(Bench bench) {
    return new WinningClaims(
        bench,
        Pipeline.STOPPED,
        measure("P2-stopped", "HTTP, every claim wins, relay and recorder stopped", 0.8));
  }

  private static Measure measure(String id, String what, double goal) {
    return new Measure(id, what, "requests/s", "claims accepted", "no-op", Goal.atLeast(goal));
  }

  @Override
  public List<Measure> measures() {
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
