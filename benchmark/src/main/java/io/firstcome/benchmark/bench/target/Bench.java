package io.firstcome.benchmark.bench.target;

import io.firstcome.benchmark.bench.load.Wrk;
import io.firstcome.benchmark.bench.report.Pair;
import io.firstcome.benchmark.bench.stack.BenchFolder;
import io.firstcome.benchmark.bench.stack.ServiceStack;
import io.firstcome.benchmark.bench.stack.ServiceStack.Pipeline;
import io.firstcome.benchmark.bench.stack.Versions;
import io.firstcome.devservices.server.PostgresServer;
import io.firstcome.devservices.server.RedisServer;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The shared state of the targets: the service, of which one at most runs at a time, and the
 * versions of the servers.
 */
public final class Bench implements AutoCloseable {

  /** More than any run claims. */
  static final int ENDLESS_PIECES = 100_000_000;

  /** Timeout for the backlog of a round, which is written faster without other load. */
  private static final Duration DRAIN_LIMIT = Duration.ofMinutes(5);

  private final BenchFolder home;
  private final Scale scale;
  private final Map<String, String> versions = new TreeMap<>();
  private @Nullable ServiceStack stack;
  private @Nullable Pipeline pipeline;
  private boolean warm;

  public Bench(BenchFolder home, Scale scale) {
    this.home = home;
    this.scale = scale;
  }

  BenchFolder home() {
    return home;
  }

  public Scale scale() {
    return scale;
  }

  /** The load generator for HTTP. */
  Wrk wrk() {
    return Wrk.in(home.work().resolve("wrk"));
  }

  /** The service with such a pipeline, which is started unless it is running. */
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
   * The service with such a pipeline, warmed up with no-ops and claims until its code is compiled;
   * once for all targets that share it.
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

  /**
   * Waits until all claims are rows and all events are published, if the pipeline records claims.
   */
  void settle(Pipeline wanted) {
    if (wanted.records()) {
      stack(wanted).awaitRecorded(DRAIN_LIMIT);
      stack(wanted).awaitEventsPublished(DRAIN_LIMIT);
    }
  }

  /**
   * Compares claims of a coupon under a further burden with those without it: with the mean of a
   * load before and one after, since the speed of a machine changes during a run.
   *
   * @param burdened one load with the burden; returns the claims accepted per second
   */
  Pair betweenLoads(Pipeline wanted, String couponId, DoubleSupplier burdened) {
    String claims = stack(wanted).url(ServiceStack.claimPath(couponId));
    double before = wrk().post(claims, scale.load()).successesPerSecond();
    settle(wanted);
    double with = burdened.getAsDouble();
    settle(wanted);
    double after = wrk().post(claims, scale.load()).successesPerSecond();
    settle(wanted);
    return new Pair(with, (before + after) / 2);
  }

  void runsOn(RedisServer redis) {
    versions.putAll(Versions.of(redis));
  }

  void runsOn(PostgresServer postgres) {
    versions.putAll(Versions.of(postgres));
  }

  public Map<String, String> versions() {
    return versions;
  }

  /** Stops the service, so that it does not disturb the next measurement. */
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
