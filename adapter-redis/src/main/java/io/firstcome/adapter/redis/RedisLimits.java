package io.firstcome.adapter.redis;

import java.time.Duration;

/**
 * The bounds of everything in this module that waits, repeats or collects.
 *
 * @param callsInFlight claim calls of one coupon that are pipelined; at four the server is never
 *     idle between two calls, and more only lengthen the queue in front of it
 * @param claimsPerCall claims in one call. A call of 512 holds the server up for less than a
 *     millisecond, and larger ones gain nothing measurable
 * @param logCap entries of one partition's log from which on new users are refused: at batches of
 *     100 a million claims, or some 60 MB
 * @param commandTime how long the answer to any call is waited for
 * @param requestQueue calls that may wait on one connection; more are refused at once
 * @param ledgerPage about how many users are read from a ledger at a time, which holds the server
 *     up for about a millisecond
 * @param reconnectPause the longest pause between tries to connect again; the first ones are
 *     shorter
 * @param idlePause between looks at a log that does not exist yet
 * @param readerIdle after which a reader of the log is deleted that has nothing pending. One that
 *     runs reads every second; one that sleeps longer is made anew when it wakes
 * @param replicas that must have a claim at least before it is answered, together with every other
 *     one that could be promoted; 0 waits for none
 * @param replicaTime how long they are waited for. Two rounds of it, the one under way and one's
 *     own, end before the claim's answer is given up
 * @param replicaListEvery pause between questions to the Sentinels which replicas could be
 *     promoted. Sentinel itself asks a replica for its priority every ten seconds
 * @param replicaListAge how old their answer may be, beyond which no claim counts as copied: five
 *     questions may be lost
 * @param replicaSilence after which a replica is called silent. It acknowledges every second
 */
public record RedisLimits(
    int callsInFlight,
    int claimsPerCall,
    int logCap,
    Duration commandTime,
    int requestQueue,
    int ledgerPage,
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

  /** The values for production. */
  public static RedisLimits defaults() {
    return new RedisLimits(
        4,
        512,
        10_000,
        Duration.ofSeconds(2),
        4_096,
        2_000,
        Duration.ofMillis(500),
        Duration.ofMillis(100),
        Duration.ofHours(1),
        0,
        Duration.ofMillis(400),
        Duration.ofSeconds(1),
        Duration.ofSeconds(5),
        Duration.ofSeconds(3));
  }

  /** The same with another cap of the log. */
  public RedisLimits withLogCap(int entries) {
    return new RedisLimits(
        callsInFlight,
        claimsPerCall,
        entries,
        commandTime,
        requestQueue,
        ledgerPage,
        reconnectPause,
        idlePause,
        readerIdle,
        replicas,
        replicaTime,
        replicaListEvery,
        replicaListAge,
        replicaSilence);
  }

  /** The same with that many replicas waited for. */
  public RedisLimits withReplicas(int count) {
    return new RedisLimits(
        callsInFlight,
        claimsPerCall,
        logCap,
        commandTime,
        requestQueue,
        ledgerPage,
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
