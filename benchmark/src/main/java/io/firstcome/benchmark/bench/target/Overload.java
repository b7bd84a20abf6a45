package io.firstcome.benchmark.bench.target;

import io.firstcome.benchmark.bench.load.OpenLoop;
import io.firstcome.benchmark.bench.report.Goal;
import io.firstcome.benchmark.bench.report.Measure;
import io.firstcome.benchmark.bench.report.Pair;
import io.firstcome.benchmark.bench.stack.ServiceStack;
import io.firstcome.benchmark.bench.stack.ServiceStack.Pipeline;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.HdrHistogram.Histogram;

/**
 * P13: claims at a multiple of the peak rate, whatever the service answers. The client shares the
 * processors with the service, and an answer of any kind takes some of their time: a part of what
 * is missing is the price of so many requests.
 */
public final class Overload implements Target {

  private static final double PEAKS = 3;
  private static final double P99_MILLIS_MAX = 100;
  private static final double REFUSED_P99_MILLIS_MAX = 5;
  private static final int CONNECTIONS = 2_000;
  private static final double P99 = 99;
  private static final double MICROS_PER_MILLI = 1_000;

  private final Bench bench;

  public Overload(Bench bench) {
    this.bench = bench;
  }

  @Override
  public List<Measure> measures() {
    return List.of(
        new Measure(
            "P13",
            "claims accepted at three times the peak rate, every claim wins",
            "claims/s",
            "accepted at three times the peak",
            "accepted at the peak",
            Goal.atLeast(0.9)),
        new Measure(
            "P13-accepted",
            "latency of an accepted claim at three times the peak rate, 99th percentile",
            "ms",
            "claim",
            "limit",
            Goal.atMost(1)),
        new Measure(
            "P13-refused",
            "latency of a refused claim at three times the peak rate, 99th percentile",
            "ms",
            "claim",
            "limit",
            Goal.atMost(1)));
  }

  @Override
  public int rounds() {
    return bench.scale().rounds();
  }

  @Override
  public void prepare() {
    bench.warmStack(Pipeline.WHOLE);
  }

  @Override
  public List<Pair> round() {
    ServiceStack stack = bench.stack(Pipeline.WHOLE);
    String claim = ServiceStack.claimPath(stack.define(Bench.ENDLESS_PIECES));
    double peak = bench.wrk().post(stack.url(claim), bench.scale().load()).successesPerSecond();
    bench.settle(Pipeline.WHOLE);
    var load = new OpenLoop(stack.port(), peak * PEAKS, bench.scale().load(), CONNECTIONS);
    var answers =
        load.run(
            OpenLoop.ofUsers(
                stack.port(),
                claim,
                "",
                "user-%08x-".formatted(ThreadLocalRandom.current().nextInt())));
    bench.settle(Pipeline.WHOLE);
    return List.of(
        new Pair(answers.acceptedPerSecond(), peak),
        new Pair(p99Millis(answers.accepted()), P99_MILLIS_MAX),
        new Pair(p99Millis(answers.refused()), REFUSED_P99_MILLIS_MAX));
  }

  private static double p99Millis(Histogram micros) {
    return micros.getValueAtPercentile(P99) / MICROS_PER_MILLI;
  }
}
