package io.firstcome.benchmark.bench.target;

import io.firstcome.benchmark.bench.load.Wrk;
import io.firstcome.benchmark.bench.load.WrkOutput;
import io.firstcome.benchmark.bench.report.Cost;
import io.firstcome.benchmark.bench.report.Goal;
import io.firstcome.benchmark.bench.report.Measure;
import io.firstcome.benchmark.bench.report.Pair;
import io.firstcome.benchmark.bench.stack.ServiceStack;
import io.firstcome.benchmark.bench.stack.ServiceStack.Pipeline;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * P3: claims over HTTP after the coupon is sold out, against the no-op in the same server. Under
 * this load, users who have the coupon claim again and must get the same answer as before.
 */
public final class SoldOutClaims implements Target {

  private static final int QUANTITY = 100;

  private final Bench bench;
  private final CostMeter cost = new CostMeter("P3: sold out");
  private @Nullable Winners winners;
  private String coupon = "";

  public SoldOutClaims(Bench bench) {
    this.bench = bench;
  }

  @Override
  public List<Measure> measures() {
    return List.of(
        new Measure(
            "P3",
            "HTTP, claims after sell-out",
            "requests/s",
            "claims refused as sold out",
            "no-op",
            Goal.atLeast(0.97)),
        new Measure(
            "P3-calls",
            "calls to PostgreSQL and Redis because of these claims",
            "calls/claim",
            "calls",
            "one call a claim",
            Goal.atMost(0.01)));
  }

  @Override
  public int rounds() {
    return bench.scale().rounds();
  }

  @Override
  public void prepare() {
    Wrk wrk = bench.wrk();
    ServiceStack stack = bench.stack(Pipeline.WHOLE);
    coupon = stack.define(QUANTITY);
    winners = Winners.claim(stack.port(), ServiceStack.claimPath(coupon), QUANTITY);
    bench.settle(Pipeline.WHOLE);
    wrk.post(stack.url(ServiceStack.noOpPath(coupon)), bench.scale().warmUp());
    wrk.post(stack.url(ServiceStack.claimPath(coupon)), bench.scale().warmUp());
  }

  @Override
  public List<Pair> round() throws InterruptedException {
    Wrk wrk = bench.wrk();
    ServiceStack stack = bench.stack(Pipeline.WHOLE);
    Duration time = bench.scale().load();
    double noOps = wrk.post(stack.url(ServiceStack.noOpPath(coupon)), time).successesPerSecond();
    long before = stack.answered("sold-out");
    var load =
        CompletableFuture.supplyAsync(() ->
            cost.measure(stack, () -> wrk.post(stack.url(ServiceStack.claimPath(coupon)), time)));
    if (winners != null) {
      winners.askAgainUntil(load::isDone);
    }
    WrkOutput refusals = load.join();
    requireSoldOut(refusals.requests(), stack.answered("sold-out") - before);
    return List.of(
        new Pair(refusals.requestsPerSecond(), noOps), new Pair(callsForAClaim(stack, time), 1));
  }

  /**
   * Without users who have the coupon. The no-op makes no calls, so what happens during it is the
   * work of the service's loops.
   */
  private double callsForAClaim(ServiceStack stack, Duration time) {
    Wrk wrk = bench.wrk();
    long begin = stack.serverCalls();
    var _ = wrk.post(stack.url(ServiceStack.noOpPath(coupon)), time);
    long between = stack.serverCalls();
    var claims = wrk.post(stack.url(ServiceStack.claimPath(coupon)), time);
    long end = stack.serverCalls();
    return (double) (end - between - (between - begin)) / claims.requests();
  }

  @Override
  public List<Cost> costs() {
    return List.of(cost.median());
  }

  /**
   * Fails unless every request was refused as sold out; the service may have seen more requests.
   */
  private static void requireSoldOut(long requests, long soldOut) {
    if (soldOut < requests) {
      throw new IllegalStateException(
          "%d of %d claims were not refused as sold out".formatted(requests - soldOut, requests));
    }
  }
}
