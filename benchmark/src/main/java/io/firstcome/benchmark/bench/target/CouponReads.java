package io.firstcome.benchmark.bench.target;

import io.firstcome.benchmark.bench.load.Wrk;
import io.firstcome.benchmark.bench.report.Goal;
import io.firstcome.benchmark.bench.report.Measure;
import io.firstcome.benchmark.bench.report.Pair;
import io.firstcome.benchmark.bench.stack.ServiceStack;
import io.firstcome.benchmark.bench.stack.ServiceStack.Pipeline;
import java.time.Duration;
import java.util.List;

/**
 * P12: reads of one coupon, as before the opening of a sale, against the no-op in the same server;
 * and the calls to PostgreSQL and Redis that they cause.
 */
public final class CouponReads implements Target {

  private static final int QUANTITY = 100;

  private final Bench bench;
  private String coupon = "";

  public CouponReads(Bench bench) {
    this.bench = bench;
  }

  @Override
  public List<Measure> measures() {
    return List.of(
        new Measure(
            "P12", "HTTP, reads of one coupon", "requests/s", "reads", "no-op", Goal.atLeast(0.9)),
        new Measure(
            "P12-calls",
            "calls to PostgreSQL and Redis because of these reads",
            "calls/s",
            "calls",
            "one call a second",
            Goal.atMost(2)));
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
    bench.settle(Pipeline.WHOLE);
    wrk.post(stack.url(ServiceStack.noOpPath(coupon)), bench.scale().warmUp());
    wrk.get(stack.url(ServiceStack.couponPath(coupon)), bench.scale().warmUp());
  }

  /** The no-op makes no calls, so what happens during it is the work of the service's loops. */
  @Override
  public List<Pair> round() {
    Wrk wrk = bench.wrk();
    ServiceStack stack = bench.stack(Pipeline.WHOLE);
    Duration time = bench.scale().load();
    long begin = stack.serverCalls();
    double noOps = wrk.post(stack.url(ServiceStack.noOpPath(coupon)), time).successesPerSecond();
    long between = stack.serverCalls();
    double reads = wrk.get(stack.url(ServiceStack.couponPath(coupon)), time).successesPerSecond();
    long end = stack.serverCalls();
    double calls = (double) (end - between - (between - begin)) / time.toSeconds();
    return List.of(new Pair(reads, noOps), new Pair(calls, 1));
  }
}
