package io.firstcome.benchmark.bench.target;

import io.firstcome.benchmark.bench.claims.ClaimLoad;
import io.firstcome.benchmark.bench.claims.RigStack;
import io.firstcome.benchmark.bench.report.Goal;
import io.firstcome.benchmark.bench.report.Measure;
import io.firstcome.benchmark.bench.report.Pair;
import io.firstcome.domain.coupon.Coupon;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * P8: the memory of an issued user in Redis once the log has drained, and whether a claim costs
 * more with more users of its coupon. Redis has no persistence here: that would cost the same for
 * both coupons and hide a difference.
 */
public final class StockMemory implements Target {

  private static final double BYTES_MAX = 110;
  private static final double COST_GOAL = 1.2;
  private static final double MICROS_PER_SECOND = 1e6;

  /** Small coupons in a round, since the time of a single one is too short to measure. */
  private static final int SMALL_COUPONS = 10;

  private static final Pattern USED = Pattern.compile("(?m)^used_memory:(\\d+)");

  private final Bench bench;
  private @Nullable RigStack stack;
  private @Nullable Coupon large;
  private int largeIssued;

  public StockMemory(Bench bench) {
    this.bench = bench;
  }

  @Override
  public List<Measure> measures() {
    Scale scale = bench.scale();
    return List.of(
        new Measure(
            "P8",
            "memory in Redis for each of %,d issued users with ids of 36 characters"
                .formatted(scale.issued()),
            "bytes",
            "used_memory per user",
            "limit",
            Goal.atMost(1)),
        new Measure(
            "P8-cost",
            "cost of a claim with %,d issued users, against %,d"
                .formatted(scale.manyIssued(), scale.fewIssued()),
            "microseconds",
            "large coupon",
            "small coupon",
            Goal.atMost(COST_GOAL)));
  }

  @Override
  public int rounds() {
    return bench.scale().rounds();
  }

  /** Issues the large coupon to as many users as its measurement needs. */
  @Override
  public void prepare() throws InterruptedException {
    bench.close();
    RigStack rig = RigStack.start(bench.home(), "memory", false);
    stack = rig;
    bench.runsOn(rig.redis());
    Scale scale = bench.scale();
    Coupon coupon = rig.define(Bench.ENDLESS_PIECES);
    large = coupon;
    // In parts, so that the log stays small compared with the ledger.
    while (largeIssued < scale.manyIssued()) {
      int part = Math.min(scale.claims(), scale.manyIssued() - largeIssued);
      claimLarge(rig, coupon, part);
    }
  }

  @Override
  public List<Pair> round() {
    RigStack rig = stack;
    Coupon many = large;
    if (rig == null || many == null) {
      throw new IllegalStateException("not prepared");
    }
    Scale scale = bench.scale();
    double bytes = bytesPerUser(rig, scale.issued());
    double fewMicros = 0;
    double manyMicros = 0;
    for (int i = 0; i < SMALL_COUPONS; i++) {
      Coupon few = rig.define(scale.fewIssued() * 2);
      claim(rig, few, 0, scale.fewIssued());
      // No more than the small coupon has already, so that it stays small.
      fewMicros += claim(rig, few, scale.fewIssued(), scale.fewIssued());
      manyMicros += claimLarge(rig, many, scale.fewIssued());
    }
    return List.of(
        new Pair(bytes, BYTES_MAX),
        new Pair(manyMicros / SMALL_COUPONS, fewMicros / SMALL_COUPONS));
  }

  private double claimLarge(RigStack rig, Coupon coupon, int claims) {
    int firstUser = largeIssued;
    largeIssued += claims;
    return claim(rig, coupon, firstUser, claims);
  }

  /** Returns the microseconds per claim; the log is empty afterwards. */
  private static double claim(RigStack rig, Coupon coupon, int firstUser, int claims) {
    double perSecond =
        ClaimLoad.claimsPerSecond(rig.rig().groupCommit(), coupon, firstUser, claims);
    rig.drain();
    return MICROS_PER_SECOND / perSecond;
  }

  private static double bytesPerUser(RigStack rig, int users) {
    Coupon coupon = rig.define(users);
    long before = usedBytes(rig);
    claim(rig, coupon, 0, users);
    return (usedBytes(rig) - before) / (double) users;
  }

  private static long usedBytes(RigStack rig) {
    return usedBytes(rig.redis().command("INFO", "memory"));
  }

  static long usedBytes(String info) {
    Matcher used = USED.matcher(info);
    if (!used.find()) {
      throw new IllegalStateException("Redis did not report used_memory");
    }
    return Long.parseLong(used.group(1));
  }

  @Override
  public void close() {
    if (stack != null) {
      stack.close();
    }
  }
}
