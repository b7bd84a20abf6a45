package io.firstcome.bootstrap.wiring;

import io.firstcome.application.ApplicationLimits;
import io.firstcome.application.ArchiveCoupon;
import io.firstcome.application.BringToStock;
import io.firstcome.application.ChangeCoupon;
import io.firstcome.application.CouponCatalog;
import io.firstcome.application.DefineCoupon;
import io.firstcome.application.KnownEpochs;
import io.firstcome.application.ListCoupons;
import io.firstcome.application.LookWhatIsOpen;
import io.firstcome.application.ProveExactness;
import io.firstcome.application.ReadAudit;
import io.firstcome.application.RecoverEveryPartition;
import io.firstcome.application.RunProofs;
import io.firstcome.application.StockBackends;
import io.firstcome.application.StockKeeper;
import io.firstcome.domain.port.AuditTrail;
import io.firstcome.domain.port.CouponRepository;
import io.firstcome.domain.port.LateClaimRepository;
import io.firstcome.domain.port.PartitionEpochs;
import io.firstcome.domain.port.SlotReturns;
import io.firstcome.domain.port.UserCouponRepository;
import io.firstcome.domain.usercoupon.CodeKeys;
import java.time.InstantSource;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Makes the use cases that only operators ask for. */
@Configuration(proxyBeanMethods = false)
class OperatorWiring {

  @Bean
  DefineCoupon defineCoupon(
      CouponRepository coupons,
      BringToStock bringToStock,
      CodeKeys codeKeys,
      FirstcomeProperties properties,
      StockBackends backends,
      InstantSource clock) {
    return new DefineCoupon(
        coupons, bringToStock, codeKeys, properties.partitions(), backends, clock);
  }

  @Bean
  ChangeCoupon changeCoupon(
      CouponRepository coupons, BringToStock bringToStock, InstantSource clock) {
    return new ChangeCoupon(coupons, bringToStock, clock);
  }

  @Bean
  LookWhatIsOpen lookWhatIsOpen(
      CouponRepository coupons,
      BringToStock bringToStock,
      KnownEpochs knownEpochs,
      PartitionEpochs epochs,
      ProveExactness proveExactness,
      LateClaimRepository lateClaims,
      SlotReturns slotReturns) {
    return new LookWhatIsOpen(
        coupons, bringToStock, knownEpochs, epochs, proveExactness, lateClaims, slotReturns);
  }

  /** Comparisons block, each on a thread of its own. */
  @Bean(destroyMethod = "shutdownNow")
  ExecutorService proofExecutor() {
    return Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("proof-", 0).factory());
  }

  @Bean
  RunProofs runProofs(
      ProveExactness proveExactness,
      @Qualifier("proofExecutor") ExecutorService proofExecutor,
      InstantSource clock,
      ApplicationLimits limits) {
    return new RunProofs(proveExactness, proofExecutor, clock, limits);
  }

  @Bean
  ArchiveCoupon archiveCoupon(
      CouponRepository coupons,
      CouponCatalog catalog,
      LookWhatIsOpen lookWhatIsOpen,
      BringToStock bringToStock,
      InstantSource clock) {
    return new ArchiveCoupon(coupons, catalog, lookWhatIsOpen, bringToStock, clock);
  }

  @Bean
  ListCoupons listCoupons(CouponRepository coupons) {
    return new ListCoupons(coupons);
  }

  @Bean
  ReadAudit readAudit(
      AuditTrail audit, CouponRepository coupons, UserCouponRepository userCoupons) {
    return new ReadAudit(audit, coupons, userCoupons);
  }

  @Bean
  RecoverEveryPartition recoverEveryPartition(
      StockKeeper keeper, AuditTrail audit, InstantSource clock) {
    return new RecoverEveryPartition(keeper, audit, clock);
  }
}
