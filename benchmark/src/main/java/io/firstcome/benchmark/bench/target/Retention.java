package io.firstcome.benchmark.bench.target;

import static java.util.Objects.requireNonNull;

import io.firstcome.benchmark.bench.load.Wrk;
import io.firstcome.benchmark.bench.report.Goal;
import io.firstcome.benchmark.bench.report.Measure;
import io.firstcome.benchmark.bench.report.Pair;
import io.firstcome.benchmark.bench.stack.PastCoupon;
import io.firstcome.benchmark.bench.stack.ServiceStack;
import io.firstcome.benchmark.bench.stack.ServiceStack.Pipeline;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * P2-retention: claims while the service exports and removes the user coupons of an archived
 * coupon, against claims while it does not.
 */
public final class Retention implements Target {

  private static final Duration REMOVAL_LIMIT = Duration.ofMinutes(1);

  private final Bench bench;
  private @Nullable PastCoupon past;

  public Retention(Bench bench) {
    this.bench = bench;
  }

  @Override
  public List<Measure> measures() {
    return List.of(
        new Measure(
            "P2-retention",
            "HTTP, every claim wins, while %,d user coupons of the past are removed"
                .formatted(bench.scale().issued()),
            "requests/s",
            "with removal",
            "without removal",
            Goal.atLeast(0.95)));
  }

  @Override
  public int rounds() {
    return bench.scale().rounds();
  }

  @Override
  public void prepare() {
    past = bench.warmStack(Pipeline.RETAINING).addPastCoupon(bench.scale().issued());
  }

  @Override
  public List<Pair> round() {
    ServiceStack stack = bench.stack(Pipeline.RETAINING);
    PastCoupon coupon = requireNonNull(past, "not prepared");
    Wrk wrk = bench.wrk();
    String claims = stack.url(ServiceStack.claimPath(stack.define(Bench.ENDLESS_PIECES)));
    Duration time = bench.scale().load();
    var without = new AtomicReference<Double>();
    coupon.withoutRemoval(() -> {
      without.set(wrk.post(claims, time).successesPerSecond());
      bench.settle(Pipeline.RETAINING);
    });
    coupon.awaitRemoval(REMOVAL_LIMIT);
    long before = coupon.removed();
    double with = wrk.post(claims, time).successesPerSecond();
    if (coupon.removed() == before) {
      throw new IllegalStateException("nothing was removed under the load");
    }
    bench.settle(Pipeline.RETAINING);
    return List.of(new Pair(with, without.get()));
  }
}
