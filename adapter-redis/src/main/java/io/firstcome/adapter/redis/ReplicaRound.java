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
 * One look at what replicas have, of everything that was written before it.
 *
 * <p>The server's offset is read first and stands for all those writes. A tiny write in each
 * partition follows, so that {@code WAIT} has something to wait for: its replicas then have that
 * offset too. As {@code WAIT} counts any replica, what each has acknowledged is read afterwards. It
 * is repeated where a replica that needs not have the writes was faster than one that must.
 */
final class ReplicaRound {

  private final RedisLink link;
  private final PromotableReplicas promotable;
  private final RedisLimits limits;
  private final AtomicInteger usual;
  private final List<Fence> fences;
  private final long beganNanos = System.nanoTime();
  private final CompletableFuture<Long> connection;
  private final CompletableFuture<Replication> before;
  private final Map<Fence, CompletableFuture<List<Object>>> writes = new HashMap<>();

  /** A partition's fence in an epoch, which names the run of the server. */
  record Fence(Partition partition, Epoch epoch) {

    String[] keys() {
      return new String[] {RedisKeys.fence(partition)};
    }
  }

  /**
   * Sends the first half.
   *
   * @param usual how many replicas had to have everything in the last round, of those that could
   */
  ReplicaRound(
      RedisLink link,
      PromotableReplicas promotable,
      RedisLimits limits,
      AtomicInteger usual,
      List<Fence> fences) {
    this.link = link;
    this.promotable = promotable;
    this.limits = limits;
    this.usual = usual;
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

  /** The fences for whose writes every replica that must have them has them, in the end. */
  CompletionStage<Set<Fence>> covered() {
    return look(usual.get());
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
    usual.set(Math.max(limits.replicas(), online));
    if (look.hasAllIn(required)) {
      return CompletableFuture.completedStage(
          fences.stream().filter(look::isOfOneRun).collect(Collectors.toSet()));
    }
    int lacking = look.lackingIn(required);
    boolean mayCome = required.size() >= limits.replicas() && required.size() == online;
    boolean another = look.acknowledged.join() >= look.acknowledgements && !left().isZero();
    return mayCome && another
        ? look(look.after.join().countOf(before.join().offset()) + lacking)
        : CompletableFuture.completedStage(Set.of());
  }

  private Set<String> required(Replication now) {
    return promotable
        .latest()
        .orElseThrow(() ->
            new StockUnavailableException(
                Effect.UNKNOWN, "which replicas could be promoted is not known", null))
        .among(now.attached());
  }

  private Duration left() {
    var left = limits.replicaTime().minusNanos(System.nanoTime() - beganNanos);
    return left.toMillis() > 0 ? left : Duration.ZERO;
  }

  private CompletableFuture<Replication> replication() {
    return link.send(commands -> commands.info("replication"))
        .thenApply(Replication::parse)
        .toCompletableFuture();
  }

  /** The second half: WAIT, what replicas have, and whether all was of one run of the server. */
  private final class Look {

    private final int acknowledgements;
    private final CompletableFuture<Long> acknowledged;
    private final CompletableFuture<Replication> after;
    private final Map<Fence, CompletableFuture<List<Object>>> checks = new HashMap<>();
    private final CompletableFuture<Long> connectionAfter;

    Look(int acknowledgements) {
      this.acknowledgements = acknowledgements;
      // With 0 the server would wait without end.
      long time = Math.max(1, left().toMillis());
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

    /** The reply of fence.lua has no epoch where the fence is missing. */
    private static boolean isSame(Fence fence, List<Object> reply) {
      return reply.size() > 2
          && reply.get(3).equals(fence.epoch().toString())
          && reply.get(4).equals(1L);
    }
  }
}
