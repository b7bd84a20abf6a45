package io.firstcome.bootstrap.wiring;

import io.firstcome.application.ApplicationLimits;
import io.firstcome.application.BringToStock;
import io.firstcome.application.ClaimCoupon;
import io.firstcome.application.CompareClocks;
import io.firstcome.application.CouponCatalog;
import io.firstcome.application.FindClaim;
import io.firstcome.application.GroupCommit;
import io.firstcome.application.InspectServers;
import io.firstcome.application.InstalledCodeKeys;
import io.firstcome.application.KnownEpochs;
import io.firstcome.application.Pace;
import io.firstcome.application.ProveExactness;
import io.firstcome.application.ReadCoupon;
import io.firstcome.application.ReconcileCoupons;
import io.firstcome.application.RowArrivals;
import io.firstcome.application.StockKeeper;
import io.firstcome.application.StockOfEachCoupon;
import io.firstcome.domain.port.CouponRepository;
import io.firstcome.domain.port.CouponStock;
import io.firstcome.domain.port.DatabaseClock;
import io.firstcome.domain.port.HandoffLog;
import io.firstcome.domain.port.IssuanceObserver;
import io.firstcome.domain.port.LateClaimRepository;
import io.firstcome.domain.port.ServerSettings;
import io.firstcome.domain.port.ServerTime;
import io.firstcome.domain.port.UserCouponRepository;
import io.firstcome.domain.usercoupon.CodeKeys;
import java.time.InstantSource;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;

/** Makes the use cases. */
@Configuration(proxyBeanMethods = false)
class UseCaseWiring {

  /** A comparison has a tenth of a thread. */
  private static final int RESTS_WHILE_COMPARING = 9;

  @Bean
  ApplicationLimits applicationLimits() {
    return ApplicationLimits.defaults();
  }

  /** The database's: the wall clock of an instance decides nothing. */
  @Bean
  @Primary
  InstantSource clock(DatabaseClock databaseClock) {
    return databaseClock;
  }

  @Bean
  CompareClocks compareClocks(
      DatabaseClock databaseClock, ObjectProvider<ServerTime> servers, IssuanceObserver observer) {
    return new CompareClocks(
        databaseClock, InstantSource.system(), servers.stream().toList(), observer);
  }

  @Bean
  CodeKeys codeKeys(FirstcomeProperties properties) {
    Map<Integer, byte[]> keys = new HashMap<>();
    properties.codeKeys().forEach((version, key) -> keys.put(version, decoded(version, key)));
    return new CodeKeys(keys, activeVersion(properties));
  }

  /** With several installed, none is active by itself: the newest may not be on every instance. */
  static int activeVersion(FirstcomeProperties properties) {
    var installed = new TreeSet<>(properties.codeKeys().keySet());
    var stated = properties.activeCodeKey();
    if (installed.isEmpty()) {
      throw new IllegalArgumentException(
          "firstcome.code-keys.1 must be set: 32 random bytes in base 64");
    }
    if (stated == null && installed.size() > 1) {
      throw new IllegalArgumentException(
          "firstcome.active-code-key must say which of the installed firstcome.code-keys %s new"
                  .formatted(installed)
              + " coupons take");
    }
    if (stated != null && !installed.contains(stated)) {
      throw new IllegalArgumentException(
          "firstcome.active-code-key is %d, and only firstcome.code-keys %s are installed"
              .formatted(stated, installed));
    }
    return stated == null ? installed.first() : stated;
  }

  @Bean
  ServerSettings installedCodeKeys(CouponRepository coupons, CodeKeys codeKeys) {
    return new InstalledCodeKeys(coupons, codeKeys);
  }

  private static byte[] decoded(int version, String key) {
    try {
      return Base64.getDecoder().decode(key);
    } catch (IllegalArgumentException e) {
      // Without the cause: its message repeats a part of the key.
      throw new IllegalArgumentException("firstcome.code-keys." + version + " is not base 64");
    }
  }

  @Bean
  KnownEpochs knownEpochs() {
    return new KnownEpochs();
  }

  @Bean
  CouponCatalog couponCatalog(CouponRepository coupons, InstantSource clock) {
    return new CouponCatalog(coupons, clock);
  }

  /** Virtual threads are started in the order they are asked for, as group commit wants it. */
  @Bean(destroyMethod = "shutdown")
  ExecutorService groupCommitExecutor() {
    return Executors.newThreadPerTaskExecutor(
        Thread.ofVirtual().name("group-commit-", 0).factory());
  }

  @Bean
  GroupCommit groupCommit(
      StockOfEachCoupon stock,
      KnownEpochs epochs,
      ApplicationLimits limits,
      @Qualifier("groupCommitExecutor") ExecutorService groupCommitExecutor,
      IssuanceObserver observer) {
    return new GroupCommit(stock::of, epochs, limits, groupCommitExecutor, observer);
  }

  @Bean
  RowArrivals rowArrivals(UserCouponRepository userCoupons, ApplicationLimits limits) {
    return new RowArrivals(userCoupons, limits);
  }

  @Bean
  ClaimCoupon claimCoupon(
      CouponCatalog catalog,
      GroupCommit groupCommit,
      CodeKeys codeKeys,
      UserCouponRepository userCoupons,
      FindClaim findClaim,
      RowArrivals arrivals,
      StockKeeper keeper,
      InstantSource clock,
      IssuanceObserver observer) {
    return new ClaimCoupon(
        catalog, groupCommit, codeKeys, userCoupons, findClaim, arrivals, keeper, clock, observer);
  }

  @Bean
  FindClaim findClaim(
      CouponCatalog catalog,
      KnownEpochs epochs,
      UserCouponRepository userCoupons,
      LateClaimRepository lateClaims,
      CouponStock stock,
      CodeKeys codeKeys,
      InstantSource clock) {
    return new FindClaim(catalog, epochs, userCoupons, lateClaims, stock, codeKeys, clock);
  }

  @Bean
  BringToStock bringToStock(
      CouponRepository coupons,
      CouponStock stock,
      KnownEpochs epochs,
      InstantSource clock,
      IssuanceObserver observer) {
    return new BringToStock(coupons, stock, epochs, clock, observer);
  }

  @Bean
  InspectServers inspectServers(List<ServerSettings> servers, IssuanceObserver observer) {
    return new InspectServers(servers, observer);
  }

  @Bean
  ReadCoupon readCoupon(
      CouponRepository coupons,
      CouponStock stock,
      UserCouponRepository userCoupons,
      KnownEpochs epochs,
      InstantSource clock) {
    return new ReadCoupon(coupons, stock, userCoupons, epochs, clock);
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

  @Bean
  ReconcileCoupons reconcileCoupons(
      CouponRepository coupons,
      ProveExactness proveExactness,
      BringToStock bringToStock,
      KnownEpochs epochs,
      StockKeeper keeper,
      IssuanceObserver observer) {
    return new ReconcileCoupons(
        coupons,
        proveExactness,
        bringToStock,
        epochs,
        keeper,
        observer,
        Pace.resting(RESTS_WHILE_COMPARING));
  }
}
