package io.firstcome.adapter.redis;

import io.firstcome.contracts.stock.StockBackend;
import io.firstcome.devservices.DevServices;
import io.firstcome.devservices.RedisServer;
import io.firstcome.devservices.SentinelServer;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.port.CouponStock;
import io.firstcome.domain.port.HandoffLog;
import io.firstcome.domain.port.IssuanceObserver;
import io.firstcome.domain.port.StockRecovery;
import io.firstcome.domain.port.Weakness;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Function;

/** The adapters over a Redis of the tests, most often the shared one, emptied. */
final class RedisBackend implements StockBackend, AutoCloseable {

  static final int PARTITIONS = 3;

  private final RedisServer server;
  private final RedisClient client;
  private final RedisClient control;
  private final ServerClock clock = new ServerClock(InstantSource.system());
  private final RedisLimits limits;
  private final RedisLink claims;
  private final RedisLink others;
  private final RedisLink reading;
  private final PromotableReplicas promotable;
  private final ReplicaCopies copies;

  private RedisBackend(RedisServer server, RedisURI way, RedisLimits limits) {
    this.server = server;
    this.limits = limits;
    client = RedisClient.create(way);
    client.setOptions(RedisAdapterConfiguration.clientOptions(limits));
    control = RedisClient.create(RedisURI.create(server.host(), server.port()));
    claims = link();
    others = link();
    reading = link();
    promotable = new PromotableReplicas(client, way, limits, IssuanceObserver.silent());
    promotable.start();
    copies = new ReplicaCopies(link(), promotable, limits);
  }

  private RedisLink link() {
    return new RedisLink(client, limits.commandTime(), IssuanceObserver.silent());
  }

  /** Over that server, as it is. */
  static RedisBackend of(RedisServer server, RedisLimits limits) {
    return new RedisBackend(server, RedisURI.create(server.host(), server.port()), limits);
  }

  /** Over whichever server Sentinel names. */
  static RedisBackend behind(SentinelServer sentinel, RedisServer server, RedisLimits limits) {
    var way =
        RedisURI.Builder.sentinel(sentinel.host(), sentinel.port(), SentinelServer.MASTER)
            .withTimeout(limits.commandTime())
            .build();
    return new RedisBackend(server, way, limits);
  }

  static RedisBackend empty(int logCap) {
    var backend = of(DevServices.shared().redis(), RedisLimits.defaults().withLogCap(logCap));
    backend.commands(RedisCommands::flushall);
    backend.connect();
    return backend;
  }

  /** As an instance does at its start: look at a fence, which also reads the server's clock. */
  void connect() {
    var _ = recovery().fence(new Partition(0));
  }

  /** Runs a command beside the adapters. */
  <T> T commands(Function<RedisCommands<String, String>, T> command) {
    try (var connection = control.connect()) {
      return command.apply(connection.sync());
    }
  }

  ReplicaCopies copies() {
    return copies;
  }

  PromotableReplicas promotable() {
    return promotable;
  }

  List<Weakness> weaknesses() {
    return new RedisServerSettings(others, promotable, limits).weaknesses();
  }

  RedisServer server() {
    return server;
  }

  @Override
  public CouponStock stock() {
    return new RedisCouponStock(claims, others, copies, clock, limits);
  }

  @Override
  public StockRecovery recovery() {
    return new RedisStockRecovery(claims, others, copies, clock);
  }

  @Override
  public HandoffLog log() {
    return log(IssuanceObserver.silent());
  }

  HandoffLog log(IssuanceObserver observer) {
    return new RedisHandoffLog(
        reading, others, "test", Partition.all(PARTITIONS), limits, observer);
  }

  @Override
  public void restart() {
    server.restart();
    awaitReconnection();
  }

  @Override
  public void wipe() {
    commands(RedisCommands::flushall);
  }

  /** Lettuce notices and reconnects in its own time; until then calls are refused. */
  void awaitReconnection() {
    long end = System.nanoTime() + Duration.ofSeconds(10).toNanos();
    for (var link : new RedisLink[] {claims, others, reading}) {
      while (!answers(link)) {
        if (System.nanoTime() > end) {
          throw new IllegalStateException("Redis did not come back");
        }
        Thread.onSpinWait();
      }
    }
  }

  private static boolean answers(RedisLink link) {
    try {
      return link.run(commands -> commands.ping()).equals("PONG");
    } catch (RuntimeException e) {
      return false;
    }
  }

  @Override
  public void close() {
    promotable.close();
    client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
    control.shutdown(Duration.ZERO, Duration.ofSeconds(2));
  }
}
