package io.firstcome.adapter.redis;

import io.firstcome.contracts.stock.HandoffStockUnderTest;
import io.firstcome.devservices.DevServices;
import io.firstcome.devservices.server.RedisServer;
import io.firstcome.devservices.server.SentinelServer;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.observation.IssuanceObserver;
import io.firstcome.domain.observation.Weakness;
import io.firstcome.domain.port.CouponStock;
import io.firstcome.domain.port.HandoffLog;
import io.firstcome.domain.port.SoldOutLeases;
import io.firstcome.domain.port.StockRecovery;
import io.firstcome.domain.port.WaitingRooms;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Function;

/** The adapters over a Redis of the tests, usually the shared one after FLUSHALL. */
final class RedisBackend implements HandoffStockUnderTest, AutoCloseable {

  static final int PARTITIONS = 3;

  private final RedisServer server;
  private final RedisClient client;
  private final RedisClient control;
  private final ServerClock clock = new ServerClock(InstantSource.system());
  private final RedisLimits limits;
  private final RedisConnection claims;
  private final RedisConnection others;
  private final RedisConnection reading;
  private final PromotableReplicas promotable;
  private final ReplicaAcks copies;

  private RedisBackend(RedisServer server, RedisURI uri, RedisLimits limits) {
    this.server = server;
    this.limits = limits;
    client = RedisClient.create(uri);
    client.setOptions(RedisAdapterConfiguration.clientOptions(limits));
    control = RedisClient.create(RedisURI.create(server.host(), server.port()));
    claims = link();
    others = link();
    reading = link();
    promotable = new PromotableReplicas(client, uri, limits, IssuanceObserver.silent());
    promotable.start();
    copies = new ReplicaAcks(link(), promotable, limits);
  }

  private RedisConnection link() {
    return new RedisConnection(client, limits.commandTime(), IssuanceObserver.silent());
  }

  /** Over that server, with its present data. */
  static RedisBackend of(RedisServer server, RedisLimits limits) {
    return new RedisBackend(server, RedisURI.create(server.host(), server.port()), limits);
  }

  /** Over the master that Sentinel names. */
  static RedisBackend behind(SentinelServer sentinel, RedisServer server, RedisLimits limits) {
    var uri =
        RedisURI.Builder.sentinel(sentinel.host(), sentinel.port(), SentinelServer.MASTER)
            .withTimeout(limits.commandTime())
            .build();
    return new RedisBackend(server, uri, limits);
  }

  static RedisBackend empty(int logCap) {
    var backend = of(DevServices.shared().redis(), RedisLimits.defaults().withLogCap(logCap));
    backend.commands(RedisCommands::flushall);
    backend.connect();
    return backend;
  }

  /** Reads a fence, and with it the server's clock, as an instance does at its start. */
  void connect() {
    var _ = recovery().fence(new Partition(0));
  }

  /** Runs a command over a connection of its own, not through the adapters. */
  <T> T commands(Function<RedisCommands<String, String>, T> command) {
    try (var connection = control.connect()) {
      return command.apply(connection.sync());
    }
  }

  ReplicaAcks copies() {
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
  public WaitingRooms rooms() {
    return new RedisWaitingRooms(claims, others, copies, clock, limits);
  }

  @Override
  public HandoffLog log() {
    return log(IssuanceObserver.silent());
  }

  @Override
  public SoldOutLeases leases() {
    return leases(stock());
  }

  /** Leases whose filters are made from the ledgers of that stock. */
  SoldOutLeases leases(CouponStock ledgers) {
    return new RedisSoldOutLeases(others, ledgers, copies, limits);
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

  /** Lettuce reconnects after a delay; until then calls are refused. */
  void awaitReconnection() {
    long end = System.nanoTime() + Duration.ofSeconds(10).toNanos();
    for (var link : new RedisConnection[] {claims, others, reading}) {
      while (!answers(link)) {
        if (System.nanoTime() > end) {
          throw new IllegalStateException("Redis is not reachable after the restart");
        }
        Thread.onSpinWait();
      }
    }
  }

  private static boolean answers(RedisConnection link) {
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
