package io.firstcome.adapter.redis;

import io.firstcome.domain.observation.IssuanceObserver;
import io.firstcome.domain.observation.OperationObservation;
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
 * The list of replicas that could be promoted, refreshed periodically from all Sentinels. A list
 * that is too old is not used: a replica that was missing or not promotable at that time may be the
 * next master.
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
   * @param uri of the master; its Sentinels, if any, are queried
   */
  PromotableReplicas(
      RedisClient client, RedisURI uri, RedisLimits limits, IssuanceObserver observer) {
    this.client = client;
    this.sentinels = List.copyOf(uri.getSentinels());
    this.master = String.valueOf(uri.getSentinelMasterId());
    this.limits = limits;
    this.observer = observer;
  }

  private boolean needsNoList() {
    return limits.replicas() == 0 || sentinels.isEmpty();
  }

  /** Starts the periodic refresh. */
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
      observer.observe(new OperationObservation.RoundFailed("listing replicas", e));
    }
  }

  /** The list; empty if no Sentinel has replied for too long. */
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
   * Queries all Sentinels concurrently, so that silent ones do not delay the list until it is too
   * old.
   *
   * @throws StockUnavailableException if no Sentinel replies
   */
  synchronized Promotable ask() {
    if (needsNoList()) {
      return Promotable.ALL_ATTACHED;
    }
    long sentNanos = System.nanoTime();
    var requests = sentinels.stream().map(this::listOf).toList();
    var replies = new ArrayList<Map<String, String>>();
    @Nullable CompletionException failure = null;
    int replyCount = 0;
    for (var request : requests) {
      try {
        replies.addAll(request.join());
        replyCount++;
      } catch (CompletionException e) {
        failure = e;
      }
    }
    if (replyCount == 0) {
      throw new StockUnavailableException(
          Effect.NONE, "no Sentinel replied with its list of replicas", failure);
    }
    var replicas = Promotable.of(replies);
    latest = new Listed(replicas, sentNanos);
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
          // A hanging or unreachable Sentinel does not close its connection.
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
