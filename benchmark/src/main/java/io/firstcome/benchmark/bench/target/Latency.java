package io.firstcome.benchmark.bench.target;

import io.firstcome.benchmark.bench.load.OpenLoop;
import io.firstcome.benchmark.bench.load.Wrk;
import io.firstcome.benchmark.bench.report.Goal;
import io.firstcome.benchmark.bench.report.Measure;
import io.firstcome.benchmark.bench.report.Pair;
import io.firstcome.benchmark.bench.report.Plot;
import io.firstcome.benchmark.bench.stack.ServiceStack;
import io.firstcome.benchmark.bench.stack.ServiceStack.Pipeline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.HdrHistogram.Histogram;

/** P7: the latency of a claim at half of the peak rate, and on an idle system. */
public final class Latency implements Target {

  private static final double HALF_P99_MILLIS_MAX = 10;
  private static final double IDLE_MORE_MILLIS_MAX = 3;
  private static final double IDLE_PER_SECOND = 50;
  private static final int CONNECTIONS = 128;
  private static final int IDLE_CONNECTIONS = 8;
  private static final double P99 = 99;
  private static final double MICROS_PER_MILLI = 1_000;
  private static final double[] PERCENTILES = {50, 75, 90, 95, 99, 99.9, 100};
  private static final List<String> PERCENTILE_NAMES =
      List.of("50 %", "75 %", "90 %", "95 %", "99 %", "99.9 %", "all");

  private final Bench bench;
  private final Samples halfClaims = new Samples("claim, half of the peak");
  private final Samples halfNoOps = new Samples("no-op, same rate");
  private final Samples idleClaims = new Samples("claim, idle");
  private double halfPerSecond;

  public Latency(Bench bench) {
    this.bench = bench;
  }

  /** The latencies of one kind of request, of all rounds. */
  private record Samples(String name, Histogram micros) {

    Samples(String name) {
      this(name, new Histogram(3));
    }

    /** Adds a round and returns its 99th percentile. */
    double p99Millis(Histogram round) {
      micros.add(round);
      return round.getValueAtPercentile(P99) / MICROS_PER_MILLI;
    }

    Plot.Line line() {
      List<Plot.Point> points = new ArrayList<>();
      for (int i = 0; i < PERCENTILES.length; i++) {
        points.add(
            new Plot.Point(i, micros.getValueAtPercentile(PERCENTILES[i]) / MICROS_PER_MILLI));
      }
      return new Plot.Line(name, points);
    }
  }

  @Override
  public List<Measure> measures() {
    return List.of(
        new Measure(
            "P7",
            "latency of a claim at half of the peak rate, 99th percentile",
            "ms",
            "claim",
            "limit",
            Goal.atMost(1)),
        new Measure(
            "P7-idle",
            "latency of a claim above that of a no-op, idle system, 99th percentiles",
            "ms",
            "claim minus no-op",
            "limit",
            Goal.atMost(1)));
  }

  @Override
  public int rounds() {
    return bench.scale().rounds();
  }

  /** Also measures the peak rate: that of wrk while every claim wins. */
  @Override
  public void prepare() {
    Wrk wrk = bench.wrk();
    ServiceStack stack = bench.warmStack(Pipeline.WHOLE);
    String path = ServiceStack.claimPath(stack.define(Bench.ENDLESS_PIECES));
    halfPerSecond = wrk.post(stack.url(path), bench.scale().load()).successesPerSecond() / 2;
    bench.settle(Pipeline.WHOLE);
    // The code of the client must be compiled too.
    halfLoad(stack, ServiceStack.noOpPath("ANY"));
  }

  @Override
  public List<Pair> round() {
    ServiceStack stack = bench.stack(Pipeline.WHOLE);
    String coupon = stack.define(Bench.ENDLESS_PIECES);
    String noOp = ServiceStack.noOpPath(coupon);
    String claim = ServiceStack.claimPath(coupon);
    // For the plot only: the target is compared with a limit.
    halfNoOps.p99Millis(halfLoad(stack, noOp));
    double half = halfClaims.p99Millis(halfLoad(stack, claim));
    bench.settle(Pipeline.WHOLE);
    double idleNoOp = idleLoad(stack, noOp).getValueAtPercentile(P99) / MICROS_PER_MILLI;
    double idleClaim = idleClaims.p99Millis(idleLoad(stack, claim));
    return List.of(
        new Pair(half, HALF_P99_MILLIS_MAX), new Pair(idleClaim - idleNoOp, IDLE_MORE_MILLIS_MAX));
  }

  private Histogram halfLoad(ServiceStack stack, String path) {
    Duration time = bench.scale().load();
    return new OpenLoop(stack.port(), halfPerSecond, time, CONNECTIONS)
        .run(OpenLoop.ofUsers(stack.port(), path, "", users()))
        .requireAllAccepted();
  }

  private Histogram idleLoad(ServiceStack stack, String path) {
    Duration time = bench.scale().load();
    return new OpenLoop(stack.port(), IDLE_PER_SECOND, time, IDLE_CONNECTIONS)
        .run(OpenLoop.ofUsers(stack.port(), path, "", users()))
        .requireAllAccepted();
  }

  /** The beginning of the user ids of a load, different for each load. */
  private static String users() {
    return "user-%08x-".formatted(ThreadLocalRandom.current().nextInt());
  }

  @Override
  public List<Plot> plots() {
    return List.of(
        new Plot(
            "latency",
            "Latency by percentile, counted from the intended moment of sending",
            "share of requests answered within",
            "ms",
            PERCENTILE_NAMES,
            List.of(halfClaims.line(), halfNoOps.line(), idleClaims.line())));
  }
}
