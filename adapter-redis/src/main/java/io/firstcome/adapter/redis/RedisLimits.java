package io.firstcome.adapter.redis;

import java.time.Duration;

/**
 * Timeouts, pauses and sizes of the Redis adapters.
 *
 * @param callsInFlight claim calls of one coupon in flight. With four the server is never idle
 *     between two calls; more only lengthen its queue
 * @param claimsPerCall claims in one call. A call with 512 blocks the server for less than a
 *     millisecond, and larger calls are not measurably faster
 * @param logCap entries of one partition's hand-off log at which new users are refused; with 100
 *     claims per entry, a million claims or about 60 MB
 * @param commandTime timeout for the reply to any call
 * @param requestQueue calls that may wait on one connection; more are refused immediately
 * @param ledgerPage approximate number of users in one page of a ledger. Reading a page blocks the
 *     server for about a millisecond
 * @param filterMegabytes memory for the filters of the ledgers of sold-out coupons, of 12 bits a
 *     user. One ledger may use half of it; coupons without a filter have no leases
 * @param reconnectPause longest pause between attempts to reconnect; the first pauses are shorter
 * @param idlePause pause between reads of a log that does not exist yet
 * @param readerIdle idle time after which a reader of the log without pending entries is deleted. A
 *     running reader reads every second; a deleted one is created again by its next read
 * @param replicas minimum number of replicas that must have a claim before it is answered; every
 *     other replica that could be promoted must have it too. 0 waits for none
 * @param replicaTime timeout of one round of waiting for replicas. Two rounds, the current one and
 *     the next, end before the claim's own timeout
 * @param replicaListEvery pause between queries to the Sentinels for the replicas that could be
 *     promoted. Sentinel itself reads a replica's priority every ten seconds
 * @param replicaListAge maximum age of the Sentinels' reply, after which no claim counts as
 *     replicated: five queries may be lost
 * @param replicaSilence time without an acknowledgement after which a replica is reported as
 *     silent. It acknowledges every second
 */
public record RedisLimits(
    int callsInFlight,
    int claimsPerCall,
    int logCap,
    Duration commandTime,
    int requestQueue,
    int ledgerPage,
    int filterMegabytes,
    Duration reconnectPause,
    Duration idlePause,
    Duration readerIdle,
    int replicas,
    Duration replicaTime,
    Duration replicaListEvery,
    Duration replicaListAge,
    Duration replicaSilence) {

  public RedisLimits {
    if (replicas < 0) {
      throw new IllegalArgumentException("replicas must not be negative: " + replicas);
    }
  }

  long filterBytes() {
    return 1_024L * 1_024 * filterMegabytes;
  }

  /** The values for production. */
  public static RedisLimits defaults() {
    return new RedisLimits(
        4,
        512,
        10_000,
        Duration.ofSeconds(2),
        4_096,
        2_000,
        64,
        Duration.ofMillis(500),
        Duration.ofMillis(100),
        Duration.ofHours(1),
        0,
        Duration.ofMillis(400),
        Duration.ofSeconds(1),
        Duration.ofSeconds(5),
        Duration.ofSeconds(3));
  }

  /** Copies the limits with another cap of the log. */
  public RedisLimits withLogCap(int entries) {
    return new RedisLimits(
        callsInFlight,
        claimsPerCall,
        entries,
        commandTime,
        requestQueue,
        ledgerPage,
        filterMegabytes,
        reconnectPause,
        idlePause,
        readerIdle,
        replicas,
        replicaTime,
        replicaListEvery,
        replicaListAge,
        replicaSilence);
  }

  /** Copies the limits with another minimum number of replicas. */
  public RedisLimits withReplicas(int count) {
    return new RedisLimits(
        callsInFlight,
        claimsPerCall,
        logCap,
        commandTime,
        requestQueue,
        ledgerPage,
        filterMegabytes,
        reconnectPause,
        idlePause,
        readerIdle,
        count,
        replicaTime,
        replicaListEvery,
        replicaListAge,
        replicaSilence);
  }
}
