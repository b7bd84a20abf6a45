package io.firstcome.adapter.redis;

import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.issuance.Epoch;
import io.firstcome.domain.port.ServerUnavailableException.Effect;
import io.firstcome.domain.port.StockUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/**
 * One round that checks whether replicas have everything that was written before it.
 *
 * <p>The server's offset is read first and covers all those writes. A small write in each partition
 * follows, so that {@code WAIT} has a write to wait for: replicas that have it have that offset
 * too. Because {@code WAIT} counts any replica, the offset that each one has acknowledged is read
 * afterwards. {@code WAIT} is repeated if a replica that is not required was faster than a required
 * one.
 */
final class ReplicaRound {

  private final RedisConnection link;
  private final PromotableReplicas promotable;
  private final RedisLimits limits;
  private final AtomicInteger lastRequired;
  private final List<Fence> fences;
  private final long beganNanos = System.nanoTime();
  private final CompletableFuture<Long> connection;
  private final CompletableFuture<Replication> before;
  private final Map<Fence, CompletableFuture<List<Object>>> writes = new HashMap<>();

  /** A partition's fence in an epoch, which identifies the run of the server. */
  record Fence(Partition partition, Epoch epoch) {

    String[] keys() {
      return new String[] {RedisKeys.fence(partition)};
    }
  }

  /**
   * Sends the first half of the round.
   *
   * @param lastRequired how many acknowledgements the last round required
   */
  ReplicaRound(
      RedisConnection link,
      PromotableReplicas promotable,
      RedisLimits limits,
      AtomicInteger lastRequired,
      List<Fence> fences) {
    this.link = link;
    this.promotable = promotable;
    this.limits = limits;
    this.lastRequired = lastRequired;
    this.fences = fences;
    connection = link.send(commands -> commands.clientId()).toCompletableFuture();
    before = replication();
    for (var fence : fences) {
      writes.put(
          fence,
          link.send(LuaScript.REPLICATE, fence.keys(), fence.epoch().toString())
              .toCompletableFuture());
    }
  }

  /** The fences whose writes all required replicas have at the end of the round. */
  CompletionStage<Set<Fence>> covered() {
    return look(lastRequired.get());
  }

  private CompletionStage<Set<Fence>> look(int acknowledgements) {
    var look = new Look(acknowledgements);
    var all = new ArrayList<CompletableFuture<?>>(writes.values());
    all.add(connection);
    all.add(before);
    all.addAll(look.checks.values());
    all.add(look.acknowledged);
    all.add(look.after);
    all.add(look.connectionAfter);
    return CompletableFuture.allOf(all.toArray(CompletableFuture[]::new))
        .thenCompose(nothing -> judge(look));
  }

  private CompletionStage<Set<Fence>> judge(Look look) {
    var required = required(look.after.join());
    int online = (int) required.stream().filter(look.after.join()::isOnline).count();
    lastRequired.set(Math.max(limits.replicas(), online));
    if (look.hasAllIn(required)) {
      return CompletableFuture.completedStage(
          fences.stream().filter(look::isOfOneRun).collect(Collectors.toSet()));
    }
    int lacking = look.lackingIn(required);
    boolean canSucceed = required.size() >= limits.replicas() && required.size() == online;
    boolean mayRetry = look.acknowledged.join() >= look.acknowledgements && !timeLeft().isZero();
    return canSucceed && mayRetry
        ? look(look.after.join().countOf(before.join().offset()) + lacking)
        : CompletableFuture.completedStage(Set.of());
  }

  private Set<String> required(Replication now) {
    return promotable
        .latest()
        .orElseThrow(() ->
            new StockUnavailableException(
                Effect.UNKNOWN, "the replicas that could be promoted are not known", null))
        .among(now.attached());
  }

  private Duration timeLeft() {
    var left = limits.replicaTime().minusNanos(System.nanoTime() - beganNanos);
    return left.toMillis() > 0 ? left : Duration.ZERO;
  }

  private CompletableFuture<Replication> replication() {
    return link.send(commands -> commands.info("replication"))
        .thenApply(Replication::parse)
        .toCompletableFuture();
  }

  /**
   * The second half: WAIT, the offsets of the replicas, and the check that the server run is the
   * same.
   */
  private final class Look {

    private final int acknowledgements;
    private final CompletableFuture<Long> acknowledged;
    private final CompletableFuture<Replication> after;
    private final Map<Fence, CompletableFuture<List<Object>>> checks = new HashMap<>();
    private final CompletableFuture<Long> connectionAfter;

    Look(int acknowledgements) {
      this.acknowledgements = acknowledgements;
      // With a timeout of 0 the server would wait forever.
      long time = Math.max(1, timeLeft().toMillis());
      acknowledged =
          link.send(commands -> commands.waitForReplication(acknowledgements, time))
              .toCompletableFuture();
      after = replication();
      for (var fence : fences) {
        checks.put(fence, link.send(LuaScript.FENCE, fence.keys()).toCompletableFuture());
      }
      connectionAfter = link.send(commands -> commands.clientId()).toCompletableFuture();
    }

    boolean hasAllIn(Set<String> required) {
      return required.size() >= limits.replicas() && lackingIn(required) == 0;
    }

    int lackingIn(Set<String> required) {
      long offset = before.join().offset();
      return (int) required.stream().filter(replica -> !after.join().has(replica, offset)).count();
    }

    boolean isOfOneRun(Fence fence) {
      return connection.join().equals(connectionAfter.join())
          && reply(writes, fence).getFirst().equals("OK")
          && isSame(fence, reply(checks, fence));
    }

    private static List<Object> reply(
        Map<Fence, CompletableFuture<List<Object>>> replies, Fence fence) {
      return Objects.requireNonNull(replies.get(fence)).join();
    }

    /** The reply of fence.lua has no epoch if the fence is missing. */
    private static boolean isSame(Fence fence, List<Object> reply) {
      return reply.size() > 2
          && reply.get(3).equals(fence.epoch().toString())
          && reply.get(4).equals(1L);
    }
  }
}
