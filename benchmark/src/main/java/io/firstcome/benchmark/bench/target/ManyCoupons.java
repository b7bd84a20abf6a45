package io.firstcome.benchmark.bench.target;

import io.firstcome.benchmark.bench.claims.ClaimLoad;
import io.firstcome.benchmark.bench.claims.RigStack;
import io.firstcome.benchmark.bench.report.Goal;
import io.firstcome.benchmark.bench.report.Measure;
import io.firstcome.benchmark.bench.report.Pair;
import io.firstcome.domain.coupon.Coupon;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * P8 with many coupons: the same number of claims and callers, on one coupon and spread evenly over
 * many, while many more are open. Groups are small with many coupons, since each coupon has its
 * own.
 *
 * <p>Each coupon has its own callers, which start together and send the same number of claims. A
 * coupon that group commit starved would end long after the median one.
 */
public final class ManyCoupons implements Target {

  /**
   * Goals of this benchmark: the design has none. The first is low because calls for many coupons
   * share a flush only with calls that Redis handles at the same moment.
   */
  private static final double SHARE_GOAL = 0.1;

  private static final double LAST_GOAL = 1.5;

  private final Bench bench;
  private final List<Coupon> claimed = new ArrayList<>();
  private @Nullable RigStack stack;
  private int firstUser;

  public ManyCoupons(Bench bench) {
    this.bench = bench;
  }

  @Override
  public List<Measure> measures() {
    Scale scale = bench.scale();
    String claimedAtOnce =
        "%,d of %,d open coupons claimed at the same time"
            .formatted(scale.claimedCoupons(), scale.openCoupons());
    return List.of(
        new Measure(
            "P8-coupons",
            claimedAtOnce + ", against one",
            "claims/s",
            "many coupons",
            "one coupon",
            Goal.atLeast(SHARE_GOAL)),
        new Measure(
            "P8-fair",
            claimedAtOnce + ": time until the last one is done",
            "ms",
            "the last coupon",
            "the median coupon",
            Goal.atMost(LAST_GOAL)));
  }

  @Override
  public int rounds() {
    return bench.scale().rounds();
  }

  @Override
  public void prepare() throws InterruptedException {
    bench.close();
    RigStack rig = RigStack.start(bench.home(), "coupons", true);
    stack = rig;
    bench.runsOn(rig.redis());
    for (int i = 0; i < bench.scale().openCoupons(); i++) {
      Coupon coupon = rig.define(Bench.ENDLESS_PIECES);
      if (i < bench.scale().claimedCoupons()) {
        claimed.add(coupon);
      }
    }
    var _ = round();
  }

  @Override
  public List<Pair> round() {
    RigStack rig = stack;
    if (rig == null) {
      throw new IllegalStateException("not prepared");
    }
    int each = Math.max(1, bench.scale().claims() / claimed.size());
    int claims = each * claimed.size();
    double ofOne =
        ClaimLoad.claimsPerSecond(rig.rig().groupCommit(), rig.define(claims), 0, claims);
    rig.drain();
    double[] millis = claimAll(rig, each);
    rig.drain();
    double last = millis[millis.length - 1];
    return List.of(new Pair(claims * 1e3 / last, ofOne), new Pair(last, millis[millis.length / 2]));
  }

  /** The time of each coupon until it was done, in milliseconds, ascending. */
  private double[] claimAll(RigStack rig, int each) {
    int callers = Math.max(1, ClaimLoad.CALLERS / claimed.size());
    double[] millis = new double[claimed.size()];
    List<CompletableFuture<Void>> done = new ArrayList<>();
    long from = System.nanoTime();
    for (int i = 0; i < millis.length; i++) {
      int coupon = i;
      done.add(
          ClaimLoad.start(rig.rig().groupCommit(), claimed.get(coupon), firstUser, each, callers)
              .thenRun(() -> millis[coupon] = (System.nanoTime() - from) / 1e6));
    }
    done.forEach(CompletableFuture::join);
    firstUser += each;
    Arrays.sort(millis);
    return millis;
  }

  @Override
  public void close() {
    if (stack != null) {
      stack.close();
    }
  }
}
