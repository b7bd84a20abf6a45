package io.firstcome.benchmark.bench;

import io.firstcome.benchmark.bench.load.Burst;
import io.firstcome.benchmark.bench.report.Goal;
import io.firstcome.benchmark.bench.report.Measure;
import io.firstcome.benchmark.bench.report.Pair;
import io.firstcome.benchmark.bench.stack.ServiceStack;
import io.firstcome.benchmark.bench.stack.ServiceStack.Pipeline;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** P4: a coupon that is sold out at once, and how long until all its rows are there. */
final class SellOut implements Target {

  private static final double SECONDS_MAX = 2;
  private static final Duration ROWS_LIMIT = Duration.ofMinutes(1);

  private final Bench bench;

  SellOut(Bench bench) {
    this.bench = bench;
  }

  @Override
  public List<Measure> measures() {
    return List.of(
        new Measure(
            "P4-sellout",
            "%,d users on %,d pieces: all rows after the last was accepted"
                .formatted(bench.scale().buyers(), bench.scale().pieces()),
            "s",
            "time",
            "limit",
            Goal.atMost(1)));
  }

  @Override
  public int rounds() {
    return bench.scale().rounds();
  }

  @Override
  public void prepare() {
    sellOut(bench.stack(Pipeline.WHOLE));
  }

  @Override
  public List<Pair> round() {
    return List.of(new Pair(sellOut(bench.stack(Pipeline.WHOLE)), SECONDS_MAX));
  }

  /** Gives the seconds from the last accepted claim to the last row. */
  private double sellOut(ServiceStack stack) {
    int pieces = bench.scale().pieces();
    String coupon = stack.define(pieces);
    // Beside the burst: the rows may well be there before the last "sold out".
    CompletableFuture<Long> durable =
        CompletableFuture.supplyAsync(() -> stack.awaitRows(coupon, pieces, ROWS_LIMIT));
    Burst.Answers answers =
        new Burst(stack.port(), ServiceStack.claimPath(coupon), bench.scale().buyers())
            .run("buyer-");
    if (answers.accepted() != pieces) {
      throw new IllegalStateException(
          "%d claims were accepted of %d pieces".formatted(answers.accepted(), pieces));
    }
    long nanos = durable.join() - answers.lastAcceptedNanos();
    bench.settle(Pipeline.WHOLE);
    return Math.max(0, nanos) / (double) TimeUnit.SECONDS.toNanos(1);
  }
}
