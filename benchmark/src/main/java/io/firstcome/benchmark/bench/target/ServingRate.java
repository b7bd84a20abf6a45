package io.firstcome.benchmark.bench.target;

import io.firstcome.benchmark.bench.load.Burst;
import io.firstcome.benchmark.bench.report.Goal;
import io.firstcome.benchmark.bench.report.Measure;
import io.firstcome.benchmark.bench.report.Pair;
import io.firstcome.benchmark.bench.stack.ServiceStack;
import io.firstcome.benchmark.bench.stack.ServiceStack.Pipeline;
import io.firstcome.devservices.service.ServiceProcess;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** W5: how many users a waiting room serves in a minute, with two instances, against its rate. */
public final class ServingRate implements Target {

  private static final int RATE = 200;
  private static final double DEVIATION_MAX = 0.01;
  private static final Duration POLL = Duration.ofMillis(2);
  private static final Duration LIMIT = Duration.ofSeconds(10);

  private final Bench bench;
  private @Nullable ServiceProcess other;

  public ServingRate(Bench bench) {
    this.bench = bench;
  }

  @Override
  public List<Measure> measures() {
    return List.of(
        new Measure(
            "W5",
            "users whom a waiting room serves with two instances: deviation from its rate over %d s"
                .formatted(bench.scale().sustained().toSeconds()),
            "share",
            "deviation",
            "limit",
            Goal.atMost(1)));
  }

  @Override
  public int rounds() {
    return bench.scale().rounds();
  }

  @Override
  public void prepare() {
    other = bench.warmStack(Pipeline.WHOLE).startAnother();
  }

  @Override
  public List<Pair> round() throws InterruptedException {
    ServiceStack stack = bench.stack(Pipeline.WHOLE);
    Duration time = bench.scale().sustained();
    String coupon =
        stack.defineWithRoom(
            Bench.ENDLESS_PIECES, "{\"admissionsPerSecond\":%d,\"paused\":true}".formatted(RATE));
    int users = Math.toIntExact(RATE * time.plus(LIMIT).toSeconds());
    new Burst(stack.port(), ServiceStack.roomPath(coupon), users).run("served-");
    stack.resumeRoom(coupon);
    Reading first = awaitStep(stack, coupon);
    Thread.sleep(time);
    Reading last = awaitStep(stack, coupon);
    double seconds = (last.nanos() - first.nanos()) / 1e9;
    double deviation = (last.served() - first.served()) / (seconds * RATE) - 1;
    return List.of(new Pair(Math.abs(deviation), DEVIATION_MAX));
  }

  private record Reading(int served, long nanos) {}

  /** The number is advanced in steps, so it is exact at the moment of a step. */
  private static Reading awaitStep(ServiceStack stack, String coupon) throws InterruptedException {
    int before = stack.served(coupon);
    long end = System.nanoTime() + LIMIT.toNanos();
    while (System.nanoTime() < end) {
      int served = stack.served(coupon);
      if (served != before) {
        return new Reading(served, System.nanoTime());
      }
      Thread.sleep(POLL);
    }
    throw new IllegalStateException("the waiting room serves nobody");
  }

  @Override
  public void close() {
    if (other != null) {
      other.close();
    }
  }
}
