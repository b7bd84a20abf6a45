package io.firstcome.adapter.redis;

import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.observation.IssuanceObserver;
import io.firstcome.domain.port.HandoffLog;
import io.firstcome.domain.port.ServerSettings;
import io.firstcome.domain.port.ServerTime;
import io.firstcome.domain.port.SoldOutLeases;
import io.firstcome.domain.port.StockRecovery;
import io.firstcome.domain.port.StockServer;
import io.firstcome.domain.port.WaitingRooms;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.ClientOptions.DisconnectedBehavior;
import io.lettuce.core.MaintNotificationsConfig;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.resource.Delay;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConverters;

/**
 * The Redis adapters as Spring beans. They need a {@link LettuceConnectionFactory} whose client has
 * {@link #clientOptions}, the partitions of the deployment as a list, {@link RedisLimits}, an
 * {@link IssuanceObserver}, the database's clock as an {@link InstantSource}, and a name for this
 * instance.
 */
@Configuration(proxyBeanMethods = false)
public class RedisAdapterConfiguration {

  /** The client options without any other ones. */
  public static ClientOptions clientOptions(RedisLimits limits) {
    return configure(ClientOptions.builder(), limits).build();
  }

  /**
   * Sets the client options on which the promises of the claim path depend: no call is sent twice,
   * no call waits without a timeout, and calls are refused while there is no connection. Others,
   * such as those for TLS, stay as they are.
   */
  public static ClientOptions.Builder configure(ClientOptions.Builder options, RedisLimits limits) {
    return options
        .autoReconnect(true)
        .replayFilter(command -> true)
        .disconnectedBehavior(DisconnectedBehavior.REJECT_COMMANDS)
        .requestQueueSize(limits.requestQueue())
        .timeoutOptions(TimeoutOptions.enabled())
        .socketOptions(
            SocketOptions.builder()
                .connectTimeout(limits.commandTime())
                .keepAlive(true)
                .tcpNoDelay(true)
                .build())
        .maintNotificationsConfig(MaintNotificationsConfig.disabled());
  }

  /**
   * Lettuce's default delay grows to 30 seconds, during which a restarted server would not be used.
   */
  public static Delay reconnectDelay(RedisLimits limits) {
    return Delay.exponential(
        Duration.ofMillis(1), limits.reconnectPause(), 2, TimeUnit.MILLISECONDS);
  }

  @Bean
  RedisConnection claimLink(
      LettuceConnectionFactory connections, RedisLimits limits, IssuanceObserver observer) {
    return link(connections, limits, limits.commandTime(), observer);
  }

  @Bean
  RedisConnection generalLink(
      LettuceConnectionFactory connections, RedisLimits limits, IssuanceObserver observer) {
    return link(connections, limits, limits.commandTime(), observer);
  }

  /** Its calls block at the server until entries arrive, so their reply timeout is longer. */
  @Bean
  RedisConnection readingLink(
      LettuceConnectionFactory connections, RedisLimits limits, IssuanceObserver observer) {
    return link(connections, limits, limits.commandTime().multipliedBy(2), observer);
  }

  @Bean
  RedisConnection replicaLink(
      LettuceConnectionFactory connections, RedisLimits limits, IssuanceObserver observer) {
    return link(connections, limits, limits.commandTime(), observer);
  }

  @Bean(initMethod = "start")
  PromotableReplicas promotableReplicas(
      LettuceConnectionFactory connections, RedisLimits limits, IssuanceObserver observer) {
    return new PromotableReplicas(
        client(connections, limits), sentinelUri(connections, limits), limits, observer);
  }

  @Bean
  ReplicaAcks replicaAcks(
      RedisConnection replicaLink, PromotableReplicas promotable, RedisLimits limits) {
    return new ReplicaAcks(replicaLink, promotable, limits);
  }

  @Bean
  ServerClock redisServerClock(InstantSource clock) {
    return new ServerClock(clock);
  }

  @Bean
  ServerTime redisTime(RedisConnection generalLink) {
    return new RedisTime(generalLink);
  }

  @Bean
  StockServer redisServerUsage(RedisConnection generalLink) {
    return new RedisServerUsage(generalLink);
  }

  @Bean
  RedisCouponStock redisCouponStock(
      RedisConnection claimLink,
      RedisConnection generalLink,
      ReplicaAcks copies,
      ServerClock clock,
      RedisLimits limits) {
    return new RedisCouponStock(claimLink, generalLink, copies, clock, limits);
  }

  @Bean
  SoldOutLeases redisSoldOutLeases(
      RedisConnection generalLink, RedisCouponStock stock, ReplicaAcks copies, RedisLimits limits) {
    return new RedisSoldOutLeases(generalLink, stock, copies, limits);
  }

  @Bean
  WaitingRooms redisWaitingRooms(
      RedisConnection claimLink,
      RedisConnection generalLink,
      ReplicaAcks copies,
      ServerClock clock,
      RedisLimits limits) {
    return new RedisWaitingRooms(claimLink, generalLink, copies, clock, limits);
  }

  @Bean
  StockRecovery redisStockRecovery(
      RedisConnection claimLink,
      RedisConnection generalLink,
      ReplicaAcks copies,
      ServerClock clock) {
    return new RedisStockRecovery(claimLink, generalLink, copies, clock);
  }

  @Bean
  HandoffLog redisHandoffLog(
      RedisConnection readingLink,
      RedisConnection generalLink,
      RedisReaderName readerName,
      List<Partition> partitions,
      RedisLimits limits,
      IssuanceObserver observer) {
    return new RedisHandoffLog(
        readingLink, generalLink, readerName.value(), partitions, limits, observer);
  }

  @Bean
  ServerSettings redisServerSettings(
      RedisConnection generalLink, PromotableReplicas promotable, RedisLimits limits) {
    return new RedisServerSettings(generalLink, promotable, limits);
  }

  private static RedisConnection link(
      LettuceConnectionFactory connections,
      RedisLimits limits,
      Duration commandTime,
      IssuanceObserver observer) {
    return new RedisConnection(client(connections, limits), commandTime, observer);
  }

  private static RedisClient client(LettuceConnectionFactory connections, RedisLimits limits) {
    var options = connections.getClientConfiguration().getClientOptions().orElse(null);
    if (options == null
        || options.getDisconnectedBehavior() != DisconnectedBehavior.REJECT_COMMANDS
        || options.getRequestQueueSize() > limits.requestQueue()) {
      throw new IllegalStateException(
          "the Redis client must have RedisAdapterConfiguration.clientOptions, otherwise calls"
              + " could be sent twice");
    }
    return (RedisClient) connections.getRequiredNativeClient();
  }

  /** The Sentinels with the client's connection settings; empty if the client connects directly. */
  private static RedisURI sentinelUri(LettuceConnectionFactory connections, RedisLimits limits) {
    var configuration = connections.getSentinelConfiguration();
    if (configuration == null) {
      return new RedisURI();
    }
    var client = connections.getClientConfiguration();
    var uri = LettuceConverters.sentinelConfigurationToRedisURI(configuration);
    uri.setTimeout(limits.commandTime());
    for (var sentinel : uri.getSentinels()) {
      sentinel.setSsl(client.isUseSsl());
      sentinel.setVerifyPeer(client.getVerifyMode());
      sentinel.setStartTls(client.isStartTls());
    }
    return uri;
  }
}
