package io.firstcome.benchmark.bench.target;

import io.firstcome.benchmark.bench.claims.ClaimLoad;
import io.firstcome.benchmark.bench.claims.RigStack;
import io.firstcome.benchmark.bench.report.Goal;
import io.firstcome.benchmark.bench.report.Measure;
import io.firstcome.benchmark.bench.report.Pair;
import io.firstcome.benchmark.bench.stack.MemoryInfo;
import io.firstcome.domain.coupon.Coupon;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * P8: the memory of an issued user in Redis once the log has drained, and whether a claim costs
 * more with more users of its coupon. Redis doubles the table of a ledger and moves its entries
 * with later claims, so the cost is measured while the users double. Redis has no persistence here:
 * that would cost the same for both coupons and hide a difference.
 */
public final class StockMemory implements Target {

  private static final double BYTES_MAX = 100;
  private static final double COST_GOAL = 1.25;
  private static final double MICROS_PER_SECOND = 1e6;

  /** Small coupons in a round, since the time of a single one is too short to measure. */
  private static final int SMALL_COUPONS = 10;

  private final Bench bench;
  private @Nullable RigStack stack;

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
            "mean cost of a claim while the users of its coupon double to %,d, against %,d"
                .formatted(scale.manyIssued(), 2 * scale.fewIssued()),
            "microseconds",
            "large coupon",
            "small coupon",
            Goal.atMost(COST_GOAL)));
  }

  @Override
  public int rounds() {
    return bench.scale().rounds();
  }

  /** Warms up with a small coupon. */
  @Override
  public void prepare() throws InterruptedException {
    bench.close();
    RigStack rig = RigStack.start(bench.home(), "memory", false);
    stack = rig;
    bench.runsOn(rig.redis());
    claim(rig, rig.define(bench.scale().claims()), 0, bench.scale().claims());
  }

  @Override
  public List<Pair> round() throws InterruptedException {
    RigStack rig = stack;
    if (rig == null) {
      throw new IllegalStateException("not prepared");
    }
    Scale scale = bench.scale();
    double bytes = bytesPerUser(rig, scale.issued());
    double fewMicros = 0;
    for (int i = 0; i < SMALL_COUPONS; i++) {
      fewMicros += microsWhileDoubling(rig, 2 * scale.fewIssued());
    }
    double manyMicros = microsWhileDoubling(rig, scale.manyIssued());
    return List.of(new Pair(bytes, BYTES_MAX), new Pair(manyMicros, fewMicros / SMALL_COUPONS));
  }

  /**
   * Issues a coupon to this number of users, and removes it.
   *
   * @return microseconds of a claim, mean of the second half
   */
  private double microsWhileDoubling(RigStack rig, int users) throws InterruptedException {
    Coupon coupon = rig.define(users);
    int half = users / 2;
    claim(rig, coupon, 0, half);
    double micros = claim(rig, coupon, half, half);
    rig.remove(coupon);
    return micros;
  }

  /**
   * Issues slots, in parts so that the log stays small compared with the ledger, and empties the
   * log.
   *
   * @return microseconds of a claim
   */
  private double claim(RigStack rig, Coupon coupon, int firstUser, int claims) {
    double seconds = 0;
    for (int done = 0; done < claims; done += bench.scale().claims()) {
      int part = Math.min(bench.scale().claims(), claims - done);
      seconds +=
          part / ClaimLoad.claimsPerSecond(rig.rig().groupCommit(), coupon, firstUser + done, part);
      rig.drain();
    }
    return seconds * MICROS_PER_SECOND / claims;
  }

  private double bytesPerUser(RigStack rig, int users) throws InterruptedException {
    Coupon coupon = rig.define(users);
    long before = usedBytes(rig);
    claim(rig, coupon, 0, users);
    double bytes = (usedBytes(rig) - before) / (double) users;
    rig.remove(coupon);
    return bytes;
  }

  private static long usedBytes(RigStack rig) {
    return MemoryInfo.usedBytes(rig.redis().command("INFO", "memory"));
  }

  @Override
  public void close() {
    if (stack != null) {
      stack.close();
    }
  }
}
