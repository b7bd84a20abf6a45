package io.firstcome.benchmark.bench.target;

import io.firstcome.benchmark.bench.load.Burst;
import io.firstcome.benchmark.bench.report.Goal;
import io.firstcome.benchmark.bench.report.Measure;
import io.firstcome.benchmark.bench.report.Pair;
import io.firstcome.benchmark.bench.stack.ServiceStack;
import io.firstcome.benchmark.bench.stack.ServiceStack.Pipeline;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * W6: the claims that a waiting room makes for users who have joined it, against claims over HTTP
 * of as many users of a coupon without a room, each time until the last row is durable.
 */
public final class RoomClaims implements Target {

  private static final Duration ROWS_LIMIT = Duration.ofMinutes(2);

  private final Bench bench;

  public RoomClaims(Bench bench) {
    this.bench = bench;
  }

  @Override
  public List<Measure> measures() {
    return List.of(
        new Measure(
            "W6",
            "claims by a waiting room for %,d users, until the last row"
                .formatted(bench.scale().quantity()),
            "rows/s",
            "mode CLAIM",
            "without a room",
            Goal.atLeast(0.8)));
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
    int users = bench.scale().quantity();
    String plain = stack.define(users);
    long from = System.nanoTime();
    new Burst(stack.port(), ServiceStack.claimPath(plain), users).run(users());
    double without = rowsPerSecond(stack, plain, users, from);
    bench.settle(Pipeline.WHOLE);

    String room =
        stack.defineWithRoom(
            users, "{\"mode\":\"CLAIM\",\"admissionsPerSecond\":1000000,\"paused\":true}");
    new Burst(stack.port(), ServiceStack.roomPath(room), users).run(users());
    from = System.nanoTime();
    stack.resumeRoom(room);
    double with = rowsPerSecond(stack, room, users, from);
    bench.settle(Pipeline.WHOLE);
    return List.of(new Pair(with, without));
  }

  private static double rowsPerSecond(ServiceStack stack, String coupon, int users, long from) {
    return users * 1e9 / (stack.awaitRows(coupon, users, ROWS_LIMIT) - from);
  }

  private static String users() {
    return "user-%08x-".formatted(ThreadLocalRandom.current().nextInt());
  }
}
