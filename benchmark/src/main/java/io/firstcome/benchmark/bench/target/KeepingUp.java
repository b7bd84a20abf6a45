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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * P4: whether rows are written as fast as claims are accepted. Under the load of P2 the depth of
 * the hand-off log is sampled, and some users wait for their row ({@code Prefer: wait}). They wait
 * slightly longer than the time from accepted to durable, since the wait begins with the request.
 */
public final class KeepingUp implements Target {

  private static final Duration SAMPLE_EVERY = Duration.ofMillis(250);

  /** Enough for a 99th percentile in a minute, and negligible compared with the load. */
  private static final double PROBES_PER_SECOND = 25;

  private static final int PROBE_CONNECTIONS = 100;
  private static final String WAIT = "Prefer: wait=20\r\n";
  private static final double P99 = 99;
  private static final double MICROS_PER_SECOND = 1e6;

  /** A depth that only fluctuates has a slope near zero. */
  private static final double SLOPE_MAX = 0.01;

  private static final double DURABLE_SECONDS_MAX = 1;

  private final Bench bench;
  private List<Plot.Point> depths = List.of();

  public KeepingUp(Bench bench) {
    this.bench = bench;
  }

  @Override
  public List<Measure> measures() {
    return List.of(
        new Measure(
            "P4",
            "growth of the hand-off log under P2's load for %d s"
                .formatted(bench.scale().sustained().toSeconds()),
            "log entries/s",
            "growth",
            "entries appended",
            Goal.atMost(SLOPE_MAX)),
        new Measure(
            "P4-durable",
            "time from a claim to its row under P2's load, 99th percentile",
            "s",
            "time",
            "limit",
            Goal.atMost(1)));
  }

  @Override
  public int rounds() {
    return bench.scale().longRounds();
  }

  @Override
  public void prepare() {
    bench.warmStack(Pipeline.WHOLE);
  }

  @Override
  public List<Pair> round() throws InterruptedException {
    Wrk wrk = bench.wrk();
    ServiceStack stack = bench.stack(Pipeline.WHOLE);
    String path = ServiceStack.claimPath(stack.define(Bench.ENDLESS_PIECES));
    Duration time = bench.scale().sustained();
    long appendedBefore = stack.handoffAppended();
    var load = CompletableFuture.runAsync(() -> wrk.post(stack.url(path), time));
    var probes = new OpenLoop(stack.port(), PROBES_PER_SECOND, time, PROBE_CONNECTIONS);
    var claims = OpenLoop.ofUsers(stack.port(), path, WAIT, "probe-");
    CompletableFuture<Histogram> waits =
        CompletableFuture.supplyAsync(() -> probes.run(claims).requireAllAccepted());
    depths = sampleDepths(stack, load);
    load.join();
    double appendedPerSecond = (stack.handoffAppended() - appendedBefore) * 1e9 / time.toNanos();
    double p99Seconds = waits.join().getValueAtPercentile(P99) / MICROS_PER_SECOND;
    bench.settle(Pipeline.WHOLE);
    return List.of(
        new Pair(Slope.of(depths), appendedPerSecond), new Pair(p99Seconds, DURABLE_SECONDS_MAX));
  }

  private static List<Plot.Point> sampleDepths(ServiceStack stack, CompletableFuture<Void> load)
      throws InterruptedException {
    List<Plot.Point> samples = new ArrayList<>();
    long from = System.nanoTime();
    while (!load.isDone()) {
      double seconds = (System.nanoTime() - from) / (double) TimeUnit.SECONDS.toNanos(1);
      samples.add(new Plot.Point(seconds, stack.handoffDepth()));
      Thread.sleep(SAMPLE_EVERY);
    }
    return samples;
  }

  @Override
  public List<Plot> plots() {
    return List.of(
        new Plot(
            "handoff-depth",
            "Depth of the hand-off log under the load of P2, last round",
            "seconds",
            "entries (batches of claims)",
            List.of(),
            List.of(new Plot.Line("entries without rows", depths))));
  }
}
