package io.firstcome.benchmark.rig;

import io.firstcome.application.ApplicationLimits;
import io.firstcome.application.BringToStock;
import io.firstcome.application.CouponCatalog;
import io.firstcome.application.DefineCoupon;
import io.firstcome.application.GroupCommit;
import io.firstcome.application.KeepDeadLetters;
import io.firstcome.application.KnownEpochs;
import io.firstcome.application.LockedCoupons;
import io.firstcome.application.ProveExactness;
import io.firstcome.application.RebuildCoupon;
import io.firstcome.application.RecordAcceptedClaims;
import io.firstcome.application.RecoverStock;
import io.firstcome.application.RelayAcceptedClaims;
import io.firstcome.application.RelayEvents;
import io.firstcome.application.RowArrivals;
import io.firstcome.application.SettleLateClaims;
import io.firstcome.application.StockBackends;
import io.firstcome.application.StockKeeper;
import io.firstcome.application.StockOfEachCoupon;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.coupon.StockBackend;
import io.firstcome.domain.port.ClaimPublisher;
import io.firstcome.domain.port.ClaimQueue;
import io.firstcome.domain.port.CouponRepository;
import io.firstcome.domain.port.CouponStock;
import io.firstcome.domain.port.DatabaseClock;
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
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;

/** The use cases from the claim to the row and its event, wired as the service wires them. */
@Configuration(proxyBeanMethods = false)
class UseCases {

  @Bean
  @Primary
  InstantSource clock(DatabaseClock databaseClock) {
    return databaseClock;
  }

  @Bean
  IssuanceObserver observer() {
    return IssuanceObserver.silent();
  }

  @Bean
  KnownEpochs knownEpochs() {
    return new KnownEpochs();
  }

  @Bean
  CouponCatalog couponCatalog(CouponRepository coupons, InstantSource clock) {
    return new CouponCatalog(coupons, clock);
  }

  @Bean
  @Primary
  StockOfEachCoupon stockOfEachCoupon(
      @Qualifier("redisCouponStock") CouponStock redis,
      @Qualifier("postgresCouponStock") CouponStock postgres) {
    return new StockOfEachCoupon(
        Map.of(StockBackend.REDIS, redis, StockBackend.POSTGRES, postgres));
  }

  /** As in the service: virtual threads are started in the order they are asked for. */
  @Bean
  ExecutorService sender() {
    return Executors.newThreadPerTaskExecutor(Thread.ofVirtual().factory());
  }

  @Bean
  GroupCommit groupCommit(
      StockOfEachCoupon stock,
      KnownEpochs epochs,
      ApplicationLimits limits,
      ExecutorService sender,
      IssuanceObserver observer) {
    return new GroupCommit(stock::of, epochs, limits, sender, observer);
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
  DefineCoupon defineCoupon(
      CouponRepository coupons,
      CouponStock stock,
      KnownEpochs epochs,
      CodeKeys codeKeys,
      List<Partition> partitions,
      InstantSource clock,
      IssuanceObserver observer) {
    return new DefineCoupon(
        coupons,
        new BringToStock(coupons, stock, epochs, clock, observer),
        codeKeys,
        partitions.size(),
        StockBackends.allWithUsual(StockBackend.REDIS),
        clock);
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
  RowArrivals rowArrivals(UserCouponRepository userCoupons, ApplicationLimits limits) {
    return new RowArrivals(userCoupons, limits);
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

  @Bean
  ProveExactness proveExactness(
      CouponRepository coupons,
      CouponStock stock,
      HandoffLog log,
      UserCouponRepository userCoupons,
      LateClaimRepository lateClaims,
      KnownEpochs epochs,
      InstantSource clock,
      ApplicationLimits limits) {
    return new ProveExactness(coupons, stock, log, userCoupons, lateClaims, epochs, clock, limits);
  }
}
