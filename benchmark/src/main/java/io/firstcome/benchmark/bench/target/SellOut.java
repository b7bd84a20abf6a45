package io.firstcome.benchmark.bench.target;

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

/** P4: the time until a coupon that is sold out at once has all its rows. */
public final class SellOut implements Target {

  private static final double SECONDS_MAX = 2;
  private static final Duration ROWS_LIMIT = Duration.ofMinutes(1);

  private final Bench bench;

  public SellOut(Bench bench) {
    this.bench = bench;
  }

  @Override
  public List<Measure> measures() {
    return List.of(
        new Measure(
            "P4-sellout",
            "%,d users claim %,d slots: time from the last accepted claim to the last row"
                .formatted(bench.scale().buyers(), bench.scale().quantity()),
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

  /** Returns the seconds from the last accepted claim to the last row. */
  private double sellOut(ServiceStack stack) {
    int quantity = bench.scale().quantity();
    String coupon = stack.define(quantity);
    // Concurrent with the burst: the last row may be there before the last "sold out".
    CompletableFuture<Long> durable =
        CompletableFuture.supplyAsync(() -> stack.awaitRows(coupon, quantity, ROWS_LIMIT));
    Burst.Answers answers =
        new Burst(stack.port(), ServiceStack.claimPath(coupon), bench.scale().buyers())
            .run("buyer-");
    if (answers.accepted() != quantity) {
      throw new IllegalStateException(
          "%d claims were accepted for %d slots".formatted(answers.accepted(), quantity));
    }
    long nanos = durable.join() - answers.lastAcceptedNanos();
    bench.settle(Pipeline.WHOLE);
    return Math.max(0, nanos) / (double) TimeUnit.SECONDS.toNanos(1);
  }
}
