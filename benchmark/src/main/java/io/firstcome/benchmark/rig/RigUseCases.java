package io.firstcome.benchmark.rig;

import io.firstcome.application.ApplicationLimits;
import io.firstcome.application.HandoffPorts;
import io.firstcome.application.InstanceSettings;
import io.firstcome.application.PersistencePorts;
import io.firstcome.application.UseCases;
import io.firstcome.application.reconciliation.Pace;
import io.firstcome.application.recording.KeepDeadLetters;
import io.firstcome.application.recording.RecordAcceptedClaims;
import io.firstcome.application.server.CompareClocks;
import io.firstcome.application.stock.StockBackends;
import io.firstcome.domain.clock.ProcessClock;
import io.firstcome.domain.coupon.StockBackend;
import io.firstcome.domain.observation.IssuanceObserver;
import io.firstcome.domain.port.ChallengeVerifier;
import io.firstcome.domain.port.CouponStock;
import io.firstcome.domain.port.DatabaseClock;
import io.firstcome.domain.usercoupon.CodeKeys;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Primary;

/** Creates the use cases of a rig, wired as in the service. */
@Configuration(proxyBeanMethods = false)
@Import({PersistencePorts.class, HandoffPorts.class})
class RigUseCases {

  @Bean
  @Primary
  InstantSource clock(DatabaseClock databaseClock) {
    return databaseClock;
  }

  @Bean
  ChallengeVerifier challenges() {
    return ChallengeVerifier.none();
  }

  @Bean
  IssuanceObserver observer() {
    return IssuanceObserver.silent();
  }

  /** As in the service: virtual threads start in the order of the calls. */
  @Bean
  ExecutorService sender() {
    return Executors.newThreadPerTaskExecutor(Thread.ofVirtual().factory());
  }

  /** Without a limit, as a run has few coupons. */
  private static <K, V> ConcurrentMap<K, V> map(int maxEntries) {
    return new ConcurrentHashMap<>();
  }

  @Bean
  InstanceSettings instanceSettings(
      CodeKeys codeKeys,
      RigLimits rigLimits,
      InstantSource clock,
      ExecutorService sender,
      ApplicationLimits limits,
      IssuanceObserver observer) {
    return new InstanceSettings(
        codeKeys,
        StockBackends.allWithUsual(StockBackend.REDIS),
        rigLimits.partitions(),
        false,
        clock,
        ProcessClock.of(InstantSource.system()),
        sender,
        Runnable::run,
        Thread::startVirtualThread,
        Thread::startVirtualThread,
        RigUseCases::map,
        Pace.WITHOUT_REST,
        limits,
        observer);
  }

  @Bean
  UseCases useCases(
      InstanceSettings settings,
      PersistencePorts database,
      HandoffPorts handoff,
      @Qualifier("redisCouponStock") CouponStock redis,
      @Qualifier("postgresCouponStock") CouponStock postgres,
      DatabaseClock databaseClock,
      IssuanceObserver observer) {
    var clocks = new CompareClocks(databaseClock, InstantSource.system(), List.of(), observer);
    return UseCases.withHandoff(settings, database, handoff, redis, postgres, clocks);
  }

  /** Needed by the listeners of the RabbitMQ adapter. */
  @Bean
  RecordAcceptedClaims recordAcceptedClaims(UseCases useCases) {
    return useCases.handoff().recordAcceptedClaims;
  }

  /** Needed by the listeners of the RabbitMQ adapter. */
  @Bean
  KeepDeadLetters keepDeadLetters(UseCases useCases) {
    return useCases.handoff().keepDeadLetters;
  }
}
