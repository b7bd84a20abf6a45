package io.firstcome.benchmark.bench.target;

import io.firstcome.benchmark.bench.load.Consoles;
import io.firstcome.benchmark.bench.report.Goal;
import io.firstcome.benchmark.bench.report.Measure;
import io.firstcome.benchmark.bench.report.Pair;
import io.firstcome.benchmark.bench.stack.ServiceStack;
import io.firstcome.benchmark.bench.stack.ServiceStack.Pipeline;
import io.firstcome.devservices.service.ServiceSettings;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;

/** P2-consoles: claims while ten operators have the console open, against claims without them. */
public final class OpenConsoles implements Target {

  private static final int EACH = 5;

  private static final List<String> USERS =
      Stream.of("operator", "viewer")
          .flatMap(user -> Collections.nCopies(EACH, user).stream())
          .toList();

  private final Bench bench;

  public OpenConsoles(Bench bench) {
    this.bench = bench;
  }

  @Override
  public List<Measure> measures() {
    return List.of(
        new Measure(
            "P2-consoles",
            "HTTP, every claim wins, while %d operators have the console open"
                .formatted(USERS.size()),
            "requests/s",
            "with consoles",
            "without consoles",
            Goal.atLeast(0.97)));
  }

  @Override
  public int rounds() {
    return bench.scale().rounds();
  }

  /**
   * Opens the consoles once under load: the first pages take much longer, until they are compiled.
   */
  @Override
  public void prepare() {
    String coupon = bench.warmStack(Pipeline.WHOLE).define(Bench.ENDLESS_PIECES);
    withConsoles(coupon, bench.scale().warmUp());
    bench.settle(Pipeline.WHOLE);
  }

  @Override
  public List<Pair> round() {
    String coupon = bench.stack(Pipeline.WHOLE).define(Bench.ENDLESS_PIECES);
    Duration time = bench.scale().load();
    return List.of(bench.betweenLoads(Pipeline.WHOLE, coupon, () -> withConsoles(coupon, time)));
  }

  private double withConsoles(String coupon, Duration time) {
    ServiceStack stack = bench.stack(Pipeline.WHOLE);
    try (var consoles =
        Consoles.open(stack.url("/"), USERS, ServiceSettings.CONSOLE_PASSWORD, coupon)) {
      double rate =
          bench.wrk().post(stack.url(ServiceStack.claimPath(coupon)), time).successesPerSecond();
      consoles.requireRenewed(time);
      return rate;
    }
  }
}
