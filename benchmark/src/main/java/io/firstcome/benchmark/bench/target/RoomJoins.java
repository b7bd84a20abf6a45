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
 * W1 and W4: users with ids of 36 characters join a waiting room, which is paused, against the
 * no-op in the same server; and the memory of each of them in Redis.
 */
public final class RoomJoins implements Target {

  private static final double ADMIT_BYTES_MAX = 110;
  private static final double CLAIM_BYTES_MAX = 170;

  private final Bench bench;

  public RoomJoins(Bench bench) {
    this.bench = bench;
  }

  @Override
  public List<Measure> measures() {
    return List.of(
        new Measure(
            "W1",
            "HTTP, users join a waiting room",
            "requests/s",
            "joins",
            "no-op",
            Goal.atLeast(0.75)),
        memory("W4-admit", "ADMIT"),
        memory("W4-claim", "CLAIM"));
  }

  private static Measure memory(String id, String mode) {
    return new Measure(
        id,
        "memory in Redis for each user in a waiting room, mode %s, ids of 36 characters"
            .formatted(mode),
        "bytes",
        "used_memory per user",
        "limit",
        Goal.atMost(1));
  }

  @Override
  public int rounds() {
    return bench.scale().rounds();
  }

  @Override
  public void prepare() {
    ServiceStack stack = bench.warmStack(Pipeline.WHOLE);
    bench
        .wrk()
        .post(stack.url(ServiceStack.roomPath(paused(stack, "ADMIT"))), bench.scale().warmUp());
  }

  private static String paused(ServiceStack stack, String mode) {
    return stack.defineWithRoom(
        Bench.ENDLESS_PIECES,
        "{\"mode\":\"%s\",\"admissionsPerSecond\":1000000,\"paused\":true}".formatted(mode));
  }

  /** What joins have cost. */
  private record Joins(double perSecond, double bytes) {}

  @Override
  public List<Pair> round() {
    Wrk wrk = bench.wrk();
    ServiceStack stack = bench.stack(Pipeline.WHOLE);
    Duration time = bench.scale().load();
    double noOps = wrk.post(stack.url(ServiceStack.noOpPath("ANY")), time).successesPerSecond();
    Joins admit = join(stack, "ADMIT", time);
    Joins claim = join(stack, "CLAIM", time);
    return List.of(
        new Pair(admit.perSecond(), noOps),
        new Pair(admit.bytes(), ADMIT_BYTES_MAX),
        new Pair(claim.bytes(), CLAIM_BYTES_MAX));
  }

  private Joins join(ServiceStack stack, String mode, Duration time) {
    String coupon = paused(stack, mode);
    long before = stack.redisBytes();
    double perSecond =
        bench.wrk().post(stack.url(ServiceStack.roomPath(coupon)), time).successesPerSecond();
    double bytes = stack.redisBytes() - before;
    return new Joins(perSecond, bytes / Math.max(1, perSecond * time.toSeconds()));
  }
}
