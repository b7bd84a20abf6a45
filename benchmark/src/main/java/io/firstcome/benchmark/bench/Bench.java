package io.firstcome.benchmark.bench;

import io.firstcome.benchmark.bench.load.Wrk;
import io.firstcome.benchmark.bench.stack.Home;
import io.firstcome.benchmark.bench.stack.ServiceStack;
import io.firstcome.benchmark.bench.stack.ServiceStack.Pipeline;
import io.firstcome.benchmark.bench.stack.Versions;
import io.firstcome.devservices.PostgresServer;
import io.firstcome.devservices.RedisServer;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What the targets share: the service, of which one at most runs at a time, and what is known of
 * the servers.
 */
final class Bench implements AutoCloseable {

  /** More than any run claims. */
  static final int ENDLESS_PIECES = 100_000_000;

  /** What piles up in a round is written faster when nothing else is to do. */
  private static final Duration DRAIN_LIMIT = Duration.ofMinutes(5);

  private final Home home;
  private final Scale scale;
  private final Map<String, String> versions = new TreeMap<>();
  private @Nullable ServiceStack stack;
  private @Nullable Pipeline pipeline;
  private boolean warm;

  Bench(Home home, Scale scale) {
    this.home = home;
    this.scale = scale;
  }

  Home home() {
    return home;
  }

  Scale scale() {
    return scale;
  }

  /** The load generator for HTTP. */
  Wrk wrk() {
    return Wrk.in(home.work().resolve("wrk"));
  }

  /** The service with such a pipeline, started now unless it runs already. */
  ServiceStack stack(Pipeline wanted) {
    ServiceStack running = stack;
    if (running != null && pipeline == wanted) {
      return running;
    }
    close();
    ServiceStack started = ServiceStack.start(home, wanted);
    stack = started;
    pipeline = wanted;
    versions.putAll(Versions.of(started.redis()));
    versions.putAll(Versions.of(started.postgres()));
    versions.putAll(Versions.of(started.amqp()));
    return started;
  }

  /**
   * The service with such a pipeline, after it has had no-ops and claims for long enough that its
   * code is compiled; once for all targets that it serves.
   */
  ServiceStack warmStack(Pipeline wanted) {
    Wrk wrk = wrk();
    ServiceStack running = stack(wanted);
    if (!warm) {
      String coupon = running.define(ENDLESS_PIECES);
      wrk.post(running.url(ServiceStack.noOpPath(coupon)), scale.warmUp());
      wrk.post(running.url(ServiceStack.claimPath(coupon)), scale.warmUp());
      warm = true;
    }
    settle(wanted);
    return running;
  }

  /** Waits until nothing is left to do of the claims of a whole pipeline. */
  void settle(Pipeline wanted) {
    if (wanted == Pipeline.WHOLE) {
      stack(wanted).awaitRecorded(DRAIN_LIMIT);
      stack(wanted).awaitTold(DRAIN_LIMIT);
    }
  }

  void runsOn(RedisServer redis) {
    versions.putAll(Versions.of(redis));
  }

  void runsOn(PostgresServer postgres) {
    versions.putAll(Versions.of(postgres));
  }

  Map<String, String> versions() {
    return versions;
  }

  /** Ends the service, so that nothing of it is beside what is measured next. */
  @Override
  public void close() {
    ServiceStack running = stack;
    stack = null;
    pipeline = null;
    warm = false;
    if (running != null) {
      running.close();
    }
  }
}
