package io.firstcome.benchmark.bench.target;

import io.firstcome.benchmark.bench.claims.BatchLoad;
import io.firstcome.benchmark.bench.claims.ClaimLoad;
import io.firstcome.benchmark.bench.claims.RigStack;
import io.firstcome.benchmark.bench.load.RedisBenchmark;
import io.firstcome.benchmark.bench.report.Goal;
import io.firstcome.benchmark.bench.report.Measure;
import io.firstcome.benchmark.bench.report.Median;
import io.firstcome.benchmark.bench.report.Pair;
import io.firstcome.benchmark.bench.report.Plot;
import io.firstcome.devservices.DevServices;
import io.firstcome.domain.coupon.Coupon;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * P1: claims through group commit on a Redis that flushes each call to disk before its reply,
 * against the plain script, one call per claim, on a Redis without persistence.
 */
public final class GroupCommitClaims implements Target {

  private static final String PLAIN = "plain";
  private static final int[] BATCHES = {1, 8, 32, 128, 512};

  /** A call for one claim takes as long as one for a hundred: small batches need fewer claims. */
  private static final int CALLS_MAX = 2_000;

  private final Bench bench;
  private @Nullable RigStack stack;
  private @Nullable DevServices plain;
  private @Nullable RedisBenchmark plainScript;
  private final List<double[]> byBatch = new ArrayList<>();

  public GroupCommitClaims(Bench bench) {
    this.bench = bench;
  }

  @Override
  public List<Measure> measures() {
    return List.of(
        new Measure(
            "P1",
            "no HTTP: group commit, appendfsync always, hand-off log; against one call per claim in"
                + " memory",
            "claims/s",
            "group commit and stock",
            "plain script by redis-benchmark",
            Goal.atLeast(3)));
  }

  @Override
  public int rounds() {
    return bench.scale().rounds();
  }

  @Override
  public void prepare() throws InterruptedException {
    bench.close();
    DevServices other = bench.home().servers(PLAIN);
    plain = other;
    RigStack.stopPersistence(other.redis());
    RedisBenchmark script = new RedisBenchmark(other.redis());
    plainScript = script;
    RigStack rig = RigStack.start(bench.home(), "group-commit", true);
    stack = rig;
    bench.runsOn(rig.redis());
    round(rig, script);
  }

  @Override
  public List<Pair> round() {
    RigStack rig = stack;
    RedisBenchmark script = plainScript;
    if (rig == null || script == null) {
      throw new IllegalStateException("not prepared");
    }
    List<Pair> pairs = round(rig, script);
    byBatch.add(byBatch(rig));
    return pairs;
  }

  private List<Pair> round(RigStack rig, RedisBenchmark script) {
    int claims = bench.scale().claims();
    double plainPerSecond = script.claimsPerSecond(claims, "plain");
    Coupon coupon = rig.define(claims);
    double perSecond = ClaimLoad.claimsPerSecond(rig.rig().groupCommit(), coupon, 0, claims);
    rig.drain();
    return List.of(new Pair(perSecond, plainPerSecond));
  }

  private double[] byBatch(RigStack rig) {
    double[] perSecond = new double[BATCHES.length];
    for (int i = 0; i < BATCHES.length; i++) {
      int claims = Math.min(bench.scale().claims(), CALLS_MAX * BATCHES[i]);
      Coupon coupon = rig.define(claims);
      perSecond[i] = BatchLoad.claimsPerSecond(rig.rig(), coupon, BATCHES[i], claims);
      rig.drain();
    }
    return perSecond;
  }

  private List<Plot.Point> medians() {
    return IntStream.range(0, BATCHES.length)
        .mapToObj(i ->
            new Plot.Point(i, Median.of(byBatch.stream().mapToDouble(round -> round[i]).toArray())))
        .toList();
  }

  @Override
  public List<Plot> plots() {
    return List.of(
        new Plot(
            "batch-size",
            "Throughput of the stock by claims per call, appendfsync always, median of the rounds",
            "claims in one call, four calls in flight",
            "claims/s",
            IntStream.of(BATCHES).mapToObj(Integer::toString).toList(),
            List.of(new Plot.Line("claims/s", medians()))));
  }

  @Override
  public void close() {
    if (stack != null) {
      stack.close();
    }
    if (plain != null) {
      plain.close();
      bench.home().forget(PLAIN);
    }
  }
}
