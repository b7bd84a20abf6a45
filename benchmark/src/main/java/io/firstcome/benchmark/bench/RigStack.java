package io.firstcome.benchmark.bench;

import io.firstcome.adapter.redis.RedisLimits;
import io.firstcome.application.ApplicationLimits;
import io.firstcome.benchmark.bench.stack.Home;
import io.firstcome.benchmark.rig.FirstcomeRig;
import io.firstcome.benchmark.rig.RigServers;
import io.firstcome.devservices.DevServices;
import io.firstcome.devservices.PostgresServer;
import io.firstcome.devservices.RedisServer;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.StockBackend;
import io.firstcome.domain.issuance.HandoffEntry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Firstcome in this JVM, without HTTP, on servers of its own. Nothing carries accepted claims to
 * the database: they stay in the hand-off log, whose cap is raised so that it takes them all, until
 * {@link #drain} removes them.
 */
final class RigStack implements AutoCloseable {

  private static final int LOG_CAP = 100_000_000;
  private static final int ENTRIES_AT_ONCE = 1_000;
  private static final Duration AT_ONCE = Duration.ofMillis(10);

  private final Home home;
  private final String name;
  private final DevServices servers;
  private final RedisServer redis;
  private final FirstcomeRig rig;
  private final AtomicInteger coupons = new AtomicInteger();

  private RigStack(Home home, String name, DevServices servers, boolean durable)
      throws InterruptedException {
    this.home = home;
    this.name = name;
    this.servers = servers;
    this.redis = servers.redis();
    if (!durable) {
      stopPersistence(redis);
    }
    PostgresServer postgres = servers.postgres();
    this.rig =
        FirstcomeRig.start(
            new RigServers(postgres, postgres.database(), redis, servers.amqp()),
            ApplicationLimits.defaults(),
            RedisLimits.defaults().withLogCap(LOG_CAP));
  }

  /**
   * Starts it on empty servers.
   *
   * @param durable whether Redis writes each call to disk before it answers
   */
  static RigStack start(Home home, String name, boolean durable) throws InterruptedException {
    DevServices servers = home.servers(name);
    try {
      return new RigStack(home, name, servers, durable);
    } catch (RuntimeException | InterruptedException e) {
      servers.close();
      throw e;
    }
  }

  /** Lets a Redis of the kit, which is made to be durable, keep its data in memory only. */
  static void stopPersistence(RedisServer redis) {
    redis.command("CONFIG", "SET", "appendonly", "no");
  }

  FirstcomeRig rig() {
    return rig;
  }

  RedisServer redis() {
    return redis;
  }

  /** A coupon that nobody has claimed yet. */
  Coupon define(int pieces) {
    return rig.define("BENCH-" + coupons.incrementAndGet(), pieces, StockBackend.REDIS);
  }

  /** Removes all entries of the log, as if their rows were written. */
  void drain() {
    while (true) {
      List<HandoffEntry> entries = rig.log().readNew(ENTRIES_AT_ONCE, AT_ONCE);
      if (entries.isEmpty()) {
        return;
      }
      rig.log().recorded(entries.stream().map(HandoffEntry::reference).toList());
    }
  }

  @Override
  public void close() {
    rig.close();
    servers.close();
    home.forget(name);
  }
}
