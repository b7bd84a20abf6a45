package io.firstcome.bootstrap.wiring;

import io.firstcome.adapter.rabbitmq.RabbitAdapterConfiguration;
import io.firstcome.adapter.rabbitmq.RabbitLimits;
import io.firstcome.adapter.redis.RedisAdapterConfiguration;
import io.firstcome.adapter.redis.RedisLimits;
import io.firstcome.adapter.redis.RedisReaderName;
import io.firstcome.application.ApplicationLimits;
import io.firstcome.application.BringToStock;
import io.firstcome.application.ClearArchivedCoupons;
import io.firstcome.application.CouponCatalog;
import io.firstcome.application.FenceReportingStock;
import io.firstcome.application.FencedCoupons;
import io.firstcome.application.FindCouponsBeyondPartitions;
import io.firstcome.application.HealMissingStock;
import io.firstcome.application.KeepDeadLetters;
import io.firstcome.application.KnownEpochs;
import io.firstcome.application.LockedCoupons;
import io.firstcome.application.ReadDeadLetters;
import io.firstcome.application.RebuildCoupon;
import io.firstcome.application.RecordAcceptedClaims;
import io.firstcome.application.RecoverStock;
import io.firstcome.application.RelayAcceptedClaims;
import io.firstcome.application.RelayEvents;
import io.firstcome.application.ReplayDeadLetters;
import io.firstcome.application.RowArrivals;
import io.firstcome.application.SettleLateClaims;
import io.firstcome.application.StockBackends;
import io.firstcome.application.StockKeeper;
import io.firstcome.application.StockOfEachCoupon;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.coupon.StockBackend;
import io.firstcome.domain.port.AuditTrail;
import io.firstcome.domain.port.ClaimMessageReader;
import io.firstcome.domain.port.ClaimPublisher;
import io.firstcome.domain.port.ClaimQueue;
import io.firstcome.domain.port.CouponRepository;
import io.firstcome.domain.port.CouponStock;
import io.firstcome.domain.port.DeadLetters;
import io.firstcome.domain.port.EventOutbox;
import io.firstcome.domain.port.EventPublisher;
import io.firstcome.domain.port.HandoffLog;
import io.firstcome.domain.port.IssuanceObserver;
import io.firstcome.domain.port.LateClaimRepository;
import io.firstcome.domain.port.PartitionEpochs;
import io.firstcome.domain.port.StockRecovery;
import io.firstcome.domain.port.UserCouponRepository;
import io.firstcome.domain.usercoupon.CodeKeys;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.data.redis.autoconfigure.ClientResourcesBuilderCustomizer;
import org.springframework.boot.data.redis.autoconfigure.LettuceClientConfigurationBuilderCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Primary;

/**
 * What a deployment needs where claims are given in Redis and carried to the database: the two
 * adapters, and the use cases that keep, carry and recover.
 */
@Configuration(proxyBeanMethods = false)
@WithRedis
@Import({RedisAdapterConfiguration.class, RabbitAdapterConfiguration.class})
class RedisWiring {

  @Bean
  RedisLimits redisLimits(FirstcomeProperties properties) {
    return RedisLimits.defaults().withReplicas(properties.replicas());
  }

  @Bean
  RabbitLimits rabbitLimits() {
    return RabbitLimits.defaults();
  }

  @Bean
  LettuceClientConfigurationBuilderCustomizer nothingIsSentTwice(RedisLimits limits) {
    return builder ->
        builder
            .clientOptions(RedisAdapterConfiguration.clientOptions(limits))
            .commandTimeout(limits.commandTime());
  }

  @Bean
  ClientResourcesBuilderCustomizer soonConnectedAgain(RedisLimits limits) {
    return resources -> resources.reconnectDelay(RedisAdapterConfiguration.reconnectDelay(limits));
  }

  @Bean
  RedisReaderName redisReaderName(FirstcomeProperties properties) {
    return new RedisReaderName(properties.instance());
  }

  @Bean
  List<Partition> partitions(FirstcomeProperties properties) {
    return Partition.all(properties.partitions());
  }

  @Bean
  StockBackends stockBackends(FirstcomeProperties properties) {
    return StockBackends.allWithUsual(properties.stock());
  }

  @Bean
  FencedCoupons fencedCoupons() {
    return new FencedCoupons();
  }

  @Bean
  @Primary
  StockOfEachCoupon stockOfEachCoupon(
      @Qualifier("redisCouponStock") CouponStock redis,
      @Qualifier("postgresCouponStock") CouponStock postgres,
      FencedCoupons fencedCoupons) {
    return new StockOfEachCoupon(
        Map.of(
            StockBackend.REDIS,
            new FenceReportingStock(redis, fencedCoupons),
            StockBackend.POSTGRES,
            postgres));
  }

  @Bean
  RecoverStock recoverStock(
      PartitionEpochs epochs,
      KnownEpochs knownEpochs,
      CouponRepository coupons,
      UserCouponRepository userCoupons,
      LateClaimRepository lateClaims,
      CouponStock stock,
      StockRecovery recovery,
      HandoffLog log,
      ClaimQueue queue,
      InstantSource clock,
      ApplicationLimits limits,
      IssuanceObserver observer) {
    var rebuild =
        new RebuildCoupon(
            recovery, stock, userCoupons, lateClaims, clock, Thread::startVirtualThread, limits);
    return new RecoverStock(
        epochs, knownEpochs, coupons, lateClaims, recovery, log, queue, rebuild, limits, observer);
  }

  @Bean
  StockKeeper stockKeeper(RecoverStock recoverStock, List<Partition> partitions) {
    return new StockKeeper(recoverStock, partitions);
  }

  @Bean
  ClearArchivedCoupons clearArchivedCoupons(
      CouponRepository coupons,
      StockRecovery recovery,
      KnownEpochs epochs,
      List<Partition> partitions,
      IssuanceObserver observer) {
    return new ClearArchivedCoupons(coupons, recovery, epochs, partitions, observer);
  }

  @Bean
  FindCouponsBeyondPartitions findCouponsBeyondPartitions(
      CouponRepository coupons, LateClaimRepository lateClaims, FirstcomeProperties properties) {
    return new FindCouponsBeyondPartitions(coupons, lateClaims, properties.partitions());
  }

  @Bean
  HealMissingStock healMissingStock(
      FencedCoupons fencedCoupons,
      CouponRepository coupons,
      BringToStock bringToStock,
      StockRecovery recovery,
      KnownEpochs epochs,
      StockKeeper keeper,
      IssuanceObserver observer) {
    return new HealMissingStock(
        fencedCoupons, coupons, bringToStock, recovery, epochs, keeper, observer);
  }

  @Bean
  RelayAcceptedClaims relayAcceptedClaims(
      HandoffLog log,
      ClaimPublisher publisher,
      ApplicationLimits limits,
      IssuanceObserver observer) {
    return new RelayAcceptedClaims(log, publisher, limits, observer);
  }

  @Bean
  LockedCoupons lockedCoupons(CouponRepository coupons) {
    return new LockedCoupons(coupons);
  }

  @Bean
  RecordAcceptedClaims recordAcceptedClaims(
      CouponCatalog catalog,
      CodeKeys codeKeys,
      UserCouponRepository userCoupons,
      HandoffLog log,
      LateClaimRepository lateClaims,
      LockedCoupons lockedCoupons,
      KeepDeadLetters keepDeadLetters,
      RowArrivals arrivals,
      StockKeeper keeper,
      ApplicationLimits limits,
      IssuanceObserver observer) {
    return new RecordAcceptedClaims(
        catalog,
        codeKeys,
        userCoupons,
        log,
        lateClaims,
        lockedCoupons,
        keepDeadLetters,
        arrivals,
        keeper,
        limits,
        observer);
  }

  @Bean
  KeepDeadLetters keepDeadLetters(
      DeadLetters letters,
      InstantSource clock,
      ApplicationLimits limits,
      IssuanceObserver observer) {
    return new KeepDeadLetters(letters, clock, limits, observer);
  }

  @Bean
  ReadDeadLetters readDeadLetters(DeadLetters letters) {
    return new ReadDeadLetters(letters);
  }

  @Bean
  ReplayDeadLetters replayDeadLetters(
      DeadLetters letters,
      ClaimMessageReader reader,
      RecordAcceptedClaims recorder,
      KeepDeadLetters keepDeadLetters,
      AuditTrail audit,
      InstantSource clock,
      ApplicationLimits limits,
      IssuanceObserver observer) {
    return new ReplayDeadLetters(
        letters, reader, recorder, keepDeadLetters, audit, clock, limits, observer);
  }

  @Bean
  SettleLateClaims settleLateClaims(
      CouponCatalog catalog,
      KnownEpochs epochs,
      CodeKeys codeKeys,
      CouponStock stock,
      UserCouponRepository userCoupons,
      LateClaimRepository lateClaims,
      LockedCoupons lockedCoupons,
      KeepDeadLetters keepDeadLetters,
      RowArrivals arrivals,
      StockKeeper keeper,
      InstantSource clock,
      ApplicationLimits limits,
      IssuanceObserver observer) {
    return new SettleLateClaims(
        catalog,
        epochs,
        codeKeys,
        stock,
        userCoupons,
        lateClaims,
        lockedCoupons,
        keepDeadLetters,
        arrivals,
        keeper,
        clock,
        limits,
        observer);
  }

  @Bean
  RelayEvents relayEvents(
      EventOutbox outbox,
      EventPublisher publisher,
      ApplicationLimits limits,
      IssuanceObserver observer) {
    return new RelayEvents(outbox, publisher, limits, observer);
  }
}
