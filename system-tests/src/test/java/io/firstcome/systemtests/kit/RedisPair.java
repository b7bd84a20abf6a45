package io.firstcome.systemtests.kit;

import io.firstcome.devservices.DevServices;
import io.firstcome.devservices.RedisServer;
import io.firstcome.devservices.SentinelServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Two Redis servers, one of them the master that a Sentinel names, and a third one where a test
 * wants it.
 */
public final class RedisPair implements AutoCloseable {

  private static final Duration LIMIT = Duration.ofSeconds(60);

  private final RedisServer first;
  private final RedisServer second;
  private final SentinelServer sentinel;
  private final DevServices servers;
  private final Path folder;
  private @Nullable Preferred preferred;

  /** A further replica, with its own way to the master. */
  private record Preferred(DevServices servers, RedisServer server, TcpProxy way) {}

  /**
   * @param servers of the first one, which begins as the master
   * @param folder for the other one
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

  /** For the service: the way to the master, and that answers wait for the replica. */
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

  /** Of the first two the one that is not the master. */
  public RedisServer replica() {
    return sentinel.masterPort() == first.port() ? second : first;
  }

  /**
   * Stalls replication: the replica looks for its master where nobody is, and keeps what it has.
   * Sentinel would put that right after some ten seconds.
   */
  public void stall() {
    replica().command("REPLICAOF", "127.0.0.1", "1");
  }

  /**
   * Adds a replica that Sentinel prefers to the other one, whatever it has, and waits until it is
   * in step and Sentinel knows it.
   */
  public RedisServer addPreferredReplica() {
    RedisServer master = master();
    // Sentinel would give the replica its true master in the place of the proxy.
    sentinel.command("SENTINEL", "SET", SentinelServer.MASTER, "failover-timeout", "60000");
    DevServices.endLeftOvers(thirdFolder());
    DevServices itsServers = DevServices.in(thirdFolder());
    Preferred third =
        new Preferred(itsServers, itsServers.redis(), TcpProxy.to(master.host(), master.port()));
    preferred = third;
    third.server().command("CONFIG", "SET", "replica-priority", "1");
    follow(third.server(), third.way().port());
    Await.until(LIMIT, "a third server that is in step", () -> isInStep(third.server()));
    Await.until(
        LIMIT,
        "a Sentinel that knows the third server",
        () ->
            sentinel
                .command("SENTINEL", "REPLICAS", SentinelServer.MASTER)
                .contains("127.0.0.1:" + third.server().port()));
    return third.server();
  }

  private Path thirdFolder() {
    return folder.resolveSibling("preferred");
  }

  /** From now on it gets nothing, and does not notice. */
  public void stallPreferredReplica() {
    Preferred third = preferred;
    if (third == null) {
      throw new IllegalStateException("no replica was added");
    }
    third.way().cut();
  }

  /** Takes all data from the replica, whose replication should be stalled. */
  public void emptyReplica() {
    replica().command("CONFIG", "SET", "replica-read-only", "no");
    replica().command("FLUSHALL");
    replica().command("CONFIG", "SET", "replica-read-only", "yes");
  }

  /** Waits until Sentinel has made that server the master. */
  public void awaitMaster(RedisServer server) {
    Await.until(LIMIT, "a promotion", () -> sentinel.masterPort() == server.port());
  }

  /** Waits until the replica is in step and Sentinel knows it. */
  public void awaitReady() {
    Await.until(LIMIT, "a replica that is in step", () -> isInStep(replica()));
    Await.until(
        LIMIT,
        "a Sentinel that knows the replica",
        () -> {
          String replicas = sentinel.command("SENTINEL", "REPLICAS", SentinelServer.MASTER);
          return replicas.contains("127.0.0.1:" + replica().port())
              && !replicas.contains("s_down")
              && !replicas.contains("disconnected");
        });
  }

  /** Has Sentinel make the replica the master, as an operator does. */
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
      // The replica is not yet good enough, or one failover is still under way.
      return false;
    }
  }

  private static boolean isInStep(RedisServer replica) {
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

  /** The first server and the Sentinel end with their own folder's servers. */
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
