package io.firstcome.benchmark.bench.claims;

import io.firstcome.adapter.redis.RedisLimits;
import io.firstcome.application.ApplicationLimits;
import io.firstcome.benchmark.bench.stack.BenchFolder;
import io.firstcome.benchmark.rig.BoundedWait;
import io.firstcome.benchmark.rig.FirstcomeRig;
import io.firstcome.benchmark.rig.RigServers;
import io.firstcome.devservices.DevServices;
import io.firstcome.devservices.server.PostgresServer;
import io.firstcome.devservices.server.RedisServer;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.StockBackend;
import io.firstcome.domain.handoff.HandoffEntry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Firstcome in this JVM, without HTTP, on servers of its own. Accepted claims do not become rows:
 * they stay in the hand-off log, whose limit is high enough for all of them, until {@link #drain}
 * removes them.
 */
public final class RigStack implements AutoCloseable {

  private static final int LOG_CAP = 100_000_000;
  private static final int ENTRIES_AT_ONCE = 1_000;
  private static final Duration AT_ONCE = Duration.ofMillis(10);

  private static final Duration FREED_WITHIN = Duration.ofMinutes(1);
  private static final String FREED = "lazyfree_pending_objects:0";

  private final BenchFolder home;
  private final String name;
  private final DevServices servers;
  private final RedisServer redis;
  private final FirstcomeRig rig;
  private final AtomicInteger coupons = new AtomicInteger();

  private RigStack(BenchFolder home, String name, DevServices servers, boolean durable)
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
   * Starts Firstcome on empty servers.
   *
   * @param durable whether Redis flushes each call to disk before its reply
   */
  public static RigStack start(BenchFolder home, String name, boolean durable)
      throws InterruptedException {
    DevServices servers = home.servers(name);
    try {
      return new RigStack(home, name, servers, durable);
    } catch (RuntimeException | InterruptedException e) {
      servers.close();
      throw e;
    }
  }

  /** Turns off the persistence of a Redis of the kit, which is durable by default. */
  public static void stopPersistence(RedisServer redis) {
    redis.command("CONFIG", "SET", "appendonly", "no");
  }

  public FirstcomeRig rig() {
    return rig;
  }

  public RedisServer redis() {
    return redis;
  }

  /** Defines a new coupon. */
  public Coupon define(int quantity) {
    return rig.define("BENCH-" + coupons.incrementAndGet(), quantity, StockBackend.REDIS);
  }

  /** Removes the stock of the coupon; returns when Redis has freed its memory. */
  public void remove(Coupon coupon) throws InterruptedException {
    rig.stock().remove(rig.epochs().address(coupon));
    BoundedWait.until(
        FREED_WITHIN,
        () -> redis.command("INFO", "memory").lines().map(String::strip).anyMatch(FREED::equals),
        "Redis did not free the memory of a removed coupon");
  }

  /** Removes all entries of the log, as if their rows were written. */
  public void drain() {
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
