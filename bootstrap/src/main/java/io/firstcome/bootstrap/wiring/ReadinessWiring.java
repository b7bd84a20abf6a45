package io.firstcome.bootstrap.wiring;

import io.firstcome.application.coupon.ListCoupons;
import io.firstcome.application.coupon.ReadOpenCoupons;
import io.firstcome.application.readiness.CheckReadiness;
import io.firstcome.application.readiness.DeploymentChecks;
import io.firstcome.application.readiness.HandoffChecks;
import io.firstcome.application.readiness.ReadinessCheck;
import io.firstcome.application.recording.ReadLateClaims;
import io.firstcome.application.recovery.StockKeeper;
import io.firstcome.application.rehearsal.ReadRehearsals;
import io.firstcome.application.server.CompareClocks;
import io.firstcome.application.server.InspectServers;
import io.firstcome.domain.port.BrokerCheck;
import io.firstcome.domain.port.DeadLetters;
import io.firstcome.domain.port.EventOutbox;
import io.firstcome.domain.port.HandoffLog;
import io.firstcome.domain.port.InstanceReports;
import io.firstcome.domain.port.StockServer;
import java.time.InstantSource;
import java.util.List;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What is checked before a drop. */
@Configuration(proxyBeanMethods = false)
class ReadinessWiring {

  @Bean
  ReadinessCheck settingsCheck(InspectServers servers) {
    return DeploymentChecks.settings(servers);
  }

  @Bean
  ReadinessCheck clocksCheck(CompareClocks clocks) {
    return DeploymentChecks.clocks(clocks);
  }

  @Bean
  ReadinessCheck instancesCheck(InstanceReports reports) {
    return DeploymentChecks.instances(reports);
  }

  @Bean
  ReadinessCheck nextCouponsCheck(ListCoupons coupons, InstantSource clock) {
    return DeploymentChecks.nextCoupons(coupons, clock);
  }

  @Bean
  ReadinessCheck rehearsalsCheck(
      ListCoupons coupons, ReadRehearsals rehearsals, InstantSource clock) {
    return DeploymentChecks.rehearsals(coupons, rehearsals, clock);
  }

  @Bean
  CheckReadiness checkReadiness(List<ReadinessCheck> checks, InstantSource clock) {
    return new CheckReadiness(checks, clock);
  }

  /** Of a deployment with Redis and a broker. */
  @Configuration(proxyBeanMethods = false)
  @WithRedis
  static class WithHandoff {

    @Bean
    ReadinessCheck partitionsCheck(StockKeeper keeper) {
      return HandoffChecks.partitions(keeper);
    }

    @Bean
    ReadinessCheck logCheck(StockKeeper keeper, HandoffLog log) {
      return HandoffChecks.log(keeper, log);
    }

    @Bean
    ReadinessCheck queueCheck(BrokerCheck broker) {
      return HandoffChecks.broker(broker);
    }

    @Bean
    ReadinessCheck lateClaimsCheck(ReadLateClaims lateClaims) {
      return HandoffChecks.lateClaims(lateClaims);
    }

    @Bean
    ReadinessCheck deadLettersCheck(DeadLetters letters) {
      return HandoffChecks.deadLetters(letters);
    }

    @Bean
    ReadinessCheck eventsCheck(EventOutbox outbox) {
      return DeploymentChecks.events(outbox);
    }

    @Bean
    ReadinessCheck memoryCheck(
        StockServer memory, ListCoupons coupons, ReadOpenCoupons openCoupons) {
      return HandoffChecks.memory(memory, coupons, openCoupons);
    }
  }
}
