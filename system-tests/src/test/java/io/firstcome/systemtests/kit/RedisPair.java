package io.firstcome.systemtests.kit;

import io.firstcome.devservices.DevServices;
import io.firstcome.devservices.server.RedisServer;
import io.firstcome.devservices.server.SentinelServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Two Redis servers under a Sentinel, one of them the master; a test can add a third one. */
public final class RedisPair implements AutoCloseable {

  private static final Duration LIMIT = Duration.ofSeconds(60);

  private final RedisServer first;
  private final RedisServer second;
  private final SentinelServer sentinel;
  private final DevServices servers;
  private final Path folder;
  private @Nullable Preferred preferred;

  /** An additional replica, with its own proxy to the master. */
  private record Preferred(DevServices servers, RedisServer server, TcpProxy way) {}

  /**
   * @param servers of the first server, which starts as the master
   * @param folder for the second server
   */
  RedisPair(DevServices servers, Path folder) {
    this.first = servers.redis();
    this.folder = folder;
    this.servers = DevServices.in(folder);
    this.second = this.servers.redis();
    follow(second, first.port());
    this.sentinel = servers.sentinel();
    awaitReady();
  }

  /**
   * Settings of the service: it finds the master through Sentinel, and replies wait for the
   * replica.
   */
  Map<String, String> environment() {
    return Map.of(
        "SPRING_DATA_REDIS_SENTINEL_MASTER",
        SentinelServer.MASTER,
        "SPRING_DATA_REDIS_SENTINEL_NODES",
        sentinel.host() + ":" + sentinel.port(),
        "FIRSTCOME_REPLICAS",
        "1");
  }

  public RedisServer master() {
    int port = sentinel.masterPort();
    Preferred third = preferred;
    if (third != null && third.server().port() == port) {
      return third.server();
    }
    return port == first.port() ? first : second;
  }

  /** The one of the first two servers that is not the master. */
  public RedisServer replica() {
    return sentinel.masterPort() == first.port() ? second : first;
  }

  /**
   * Stalls replication: the replica is pointed to a port without a server, and keeps its data.
   * Sentinel would correct that after some ten seconds.
   */
  public void stall() {
    replica().command("REPLICAOF", "127.0.0.1", "1");
  }

  /**
   * Adds a replica that Sentinel prefers to the other one, whatever data it has, and waits until it
   * is synchronized and known to Sentinel.
   */
  public RedisServer addPreferredReplica() {
    RedisServer master = master();
    // Otherwise Sentinel would soon point the replica to the master instead of the proxy.
    sentinel.command("SENTINEL", "SET", SentinelServer.MASTER, "failover-timeout", "60000");
    DevServices.endLeftOvers(thirdFolder());
    DevServices itsServers = DevServices.in(thirdFolder());
    Preferred third =
        new Preferred(itsServers, itsServers.redis(), TcpProxy.to(master.host(), master.port()));
    preferred = third;
    third.server().command("CONFIG", "SET", "replica-priority", "1");
    follow(third.server(), third.way().port());
    Await.until(LIMIT, "a synchronized third server", () -> isSynchronized(third.server()));
    Await.until(
        LIMIT,
        "a third server that is known to Sentinel",
        () ->
            sentinel
                .command("SENTINEL", "REPLICAS", SentinelServer.MASTER)
                .contains("127.0.0.1:" + third.server().port()));
    return third.server();
  }

  private Path thirdFolder() {
    return folder.resolveSibling("preferred");
  }

  /** From now on the replica receives nothing, and its connection stays open. */
  public void stallPreferredReplica() {
    Preferred third = preferred;
    if (third == null) {
      throw new IllegalStateException("no replica was added");
    }
    third.way().cut();
  }

  /** Deletes all data of the replica, whose replication should be stalled. */
  public void emptyReplica() {
    replica().command("CONFIG", "SET", "replica-read-only", "no");
    replica().command("FLUSHALL");
    replica().command("CONFIG", "SET", "replica-read-only", "yes");
  }

  /** Waits until Sentinel has made that server the master. */
  public void awaitMaster(RedisServer server) {
    Await.until(LIMIT, "the promotion of a replica", () -> sentinel.masterPort() == server.port());
  }

  /** Waits until the replica is synchronized and known to Sentinel. */
  public void awaitReady() {
    Await.until(LIMIT, "a synchronized replica", () -> isSynchronized(replica()));
    Await.until(
        LIMIT,
        "a replica that is known to Sentinel",
        () -> {
          String replicas = sentinel.command("SENTINEL", "REPLICAS", SentinelServer.MASTER);
          return replicas.contains("127.0.0.1:" + replica().port())
              && !replicas.contains("s_down")
              && !replicas.contains("disconnected");
        });
  }

  /** Makes Sentinel promote the replica, as an operator would. */
  public void failOver() {
    RedisServer promoted = replica();
    Await.until(
        LIMIT, "a failover", () -> isAccepted("SENTINEL", "FAILOVER", SentinelServer.MASTER));
    awaitMaster(promoted);
  }

  private boolean isAccepted(String... command) {
    try {
      return sentinel.command(command).equals("OK");
    } catch (IllegalStateException e) {
      // The replica is not suitable yet, or another failover is in progress.
      return false;
    }
  }

  private static boolean isSynchronized(RedisServer replica) {
    try {
      return replica.command("INFO", "replication").contains("master_link_status:up");
    } catch (IllegalStateException e) {
      // It has just been stopped or started.
      return false;
    }
  }

  private static void follow(RedisServer replica, int masterPort) {
    replica.command("REPLICAOF", "127.0.0.1", Integer.toString(masterPort));
  }

  /** The first server and the Sentinel end with the world's servers. */
  @Override
  public void close() {
    first.resume();
    second.resume();
    Preferred third = preferred;
    if (third != null) {
      third.way().close();
      third.servers().close();
    }
    servers.close();
  }
}
