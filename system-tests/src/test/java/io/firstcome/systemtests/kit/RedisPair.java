package io.firstcome.systemtests.kit;

import io.firstcome.devservices.DevServices;
import io.firstcome.devservices.RedisServer;
import io.firstcome.devservices.SentinelServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/** Two Redis servers, one of them the master that a Sentinel names. */
public final class RedisPair implements AutoCloseable {

  private static final Duration LIMIT = Duration.ofSeconds(60);

  private final RedisServer first;
  private final RedisServer second;
  private final SentinelServer sentinel;
  private final DevServices servers;

  /**
   * @param servers of the first one, which begins as the master
   * @param folder for the other one
   */
  RedisPair(DevServices servers, Path folder) {
    this.first = servers.redis();
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
    return sentinel.masterPort() == first.port() ? first : second;
  }

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
    servers.close();
  }
}
