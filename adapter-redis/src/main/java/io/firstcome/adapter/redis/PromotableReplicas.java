package io.firstcome.adapter.redis;

import io.firstcome.domain.port.IssuanceObserver;
import io.firstcome.domain.port.ServerUnavailableException.Effect;
import io.firstcome.domain.port.StockUnavailableException;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.sentinel.api.StatefulRedisSentinelConnection;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the list of replicas that could be promoted, by asking all Sentinels again and again. A
 * list that is too old is no list: a replica that was not there, or could not be promoted when it
 * was made, may be the next master.
 */
final class PromotableReplicas implements AutoCloseable {

  private final RedisClient client;
  private final List<RedisURI> sentinels;
  private final String master;
  private final RedisLimits limits;
  private final IssuanceObserver observer;
  private final Map<RedisURI, CompletableFuture<StatefulRedisSentinelConnection<String, String>>>
      connections = new ConcurrentHashMap<>();
  private final ScheduledExecutorService executor =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().name("listing replicas").daemon().factory());
  private volatile @Nullable Listed latest;

  private record Listed(Promotable replicas, long atNanos) {}

  /**
   * @param way to the master; where it leads through Sentinels, these are asked
   */
  PromotableReplicas(
      RedisClient client, RedisURI way, RedisLimits limits, IssuanceObserver observer) {
    this.client = client;
    this.sentinels = List.copyOf(way.getSentinels());
    this.master = String.valueOf(way.getSentinelMasterId());
    this.limits = limits;
    this.observer = observer;
  }

  private boolean needsNoList() {
    return limits.replicas() == 0 || sentinels.isEmpty();
  }

  /** Begins to keep the list up to date. */
  void start() {
    if (!needsNoList()) {
      var _ =
          executor.scheduleWithFixedDelay(
              this::refresh, 0, limits.replicaListEvery().toMillis(), TimeUnit.MILLISECONDS);
    }
  }

  private void refresh() {
    try {
      var _ = ask();
    } catch (RuntimeException e) {
      observer.roundFailed("listing replicas", e);
    }
  }

  /** The list, or nothing where no Sentinel has answered for too long. */
  Optional<Promotable> latest() {
    if (needsNoList()) {
      return Optional.of(Promotable.ALL_ATTACHED);
    }
    var now = latest;
    return now == null || System.nanoTime() - now.atNanos() > limits.replicaListAge().toNanos()
        ? Optional.empty()
        : Optional.of(now.replicas());
  }

  /**
   * Asks every Sentinel now, all at once: some that do not answer must not make the list too old.
   *
   * @throws StockUnavailableException if none answers
   */
  synchronized Promotable ask() {
    if (needsNoList()) {
      return Promotable.ALL_ATTACHED;
    }
    long asked = System.nanoTime();
    var asking = sentinels.stream().map(this::listOf).toList();
    var replies = new ArrayList<Map<String, String>>();
    @Nullable CompletionException failure = null;
    int answers = 0;
    for (var answer : asking) {
      try {
        replies.addAll(answer.join());
        answers++;
      } catch (CompletionException e) {
        failure = e;
      }
    }
    if (answers == 0) {
      throw new StockUnavailableException(Effect.NONE, "no Sentinel lists the replicas", failure);
    }
    var replicas = Promotable.of(replies);
    latest = new Listed(replicas, asked);
    return replicas;
  }

  private CompletableFuture<List<Map<String, String>>> listOf(RedisURI sentinel) {
    var connection =
        connections.computeIfAbsent(
            sentinel, uri -> client.connectSentinelAsync(StringCodec.ASCII, uri));
    return connection
        .thenCompose(open -> open.async().replicas(master))
        .orTimeout(limits.commandTime().toNanos(), TimeUnit.NANOSECONDS)
        .whenComplete((replicas, failure) -> {
          // One that hangs, or is cut off, keeps its connection.
          if (failure != null && connections.remove(sentinel, connection)) {
            var _ = connection.thenCompose(StatefulConnection::closeAsync);
          }
        });
  }

  @Override
  public void close() {
    executor.shutdownNow();
  }
}
