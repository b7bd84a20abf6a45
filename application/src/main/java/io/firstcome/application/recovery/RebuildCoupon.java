package io.firstcome.application.recovery;

import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponStatus;
import io.firstcome.domain.issuance.Epoch;
import io.firstcome.domain.issuance.StockAddress;
import io.firstcome.domain.observation.IssuanceObserver;
import io.firstcome.domain.observation.RecoveryObservation;
import io.firstcome.domain.port.CouponStock;
import io.firstcome.domain.port.LateClaimRepository;
import io.firstcome.domain.port.StockRecovery;
import io.firstcome.domain.port.UserCouponRepository;
import io.firstcome.domain.usercoupon.CodeKeys;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.concurrent.Executor;

/**
 * Rebuilds the stock of one coupon from rows, ledger and late claims, and makes it ready for
 * claims.
 */
public final class RebuildCoupon {

  private final StockRecovery recovery;
  private final CouponStock stock;
  private final UserCouponRepository userCoupons;
  private final LateClaimRepository lateClaims;
  private final CodeKeys codeKeys;
  private final InstantSource clock;
  private final Executor executor;
  private final RecoveryLimits limits;

  /**
   * @param executor reads the next page of rows while the last one is compared with the ledger
   */
  public RebuildCoupon(
      StockRecovery recovery,
      CouponStock stock,
      UserCouponRepository userCoupons,
      LateClaimRepository lateClaims,
      CodeKeys codeKeys,
      InstantSource clock,
      Executor executor,
      RecoveryLimits limits) {
    this.recovery = recovery;
    this.stock = stock;
    this.userCoupons = userCoupons;
    this.lateClaims = lateClaims;
    this.codeKeys = codeKeys;
    this.clock = clock;
    this.executor = executor;
    this.limits = limits;
  }

  /**
   * Sorts coupons: those whose window is open now come first, then those that open next. Coupons of
   * one campaign are together, at the place of the first of them.
   */
  Collection<List<Coupon>> openFirst(List<Coupon> coupons) {
    var now = clock.instant();
    var together = new LinkedHashMap<Record, List<Coupon>>();
    coupons.stream()
        .sorted(
            Comparator.comparing((Coupon coupon) -> !isClaimed(coupon, now))
                .thenComparing(coupon -> coupon.definition().window().opensAt().isBefore(now))
                .thenComparing(coupon -> coupon.definition().window().opensAt()))
        .forEach(coupon -> {
          var key = coupon.campaign() == null ? coupon.id() : coupon.campaign();
          together.computeIfAbsent(key, first -> new ArrayList<>()).add(coupon);
        });
    return together.values();
  }

  private static boolean isClaimed(Coupon coupon, Instant now) {
    var window = coupon.definition().window();
    return coupon.status() == CouponStatus.ACTIVE
        && !now.isBefore(window.opensAt())
        && now.isBefore(window.closesAt());
  }

  /**
   * Rebuilds coupons that must become ready together: a claim of one reads the ledgers of the
   * others.
   *
   * @param progress is called after each page of rows or claims
   * @param beforeReady is called before the coupons accept claims
   */
  void rebuild(
      List<Coupon> together,
      Epoch epoch,
      RecoverStock.Database database,
      IssuanceObserver observer,
      Runnable progress,
      Runnable beforeReady) {
    var rebuilt = new ArrayList<LedgerRebuild>();
    for (var coupon : together) {
      var address = new StockAddress(coupon.id(), coupon.partition(), epoch);
      var rebuild =
          new LedgerRebuild(
              coupon,
              address,
              database,
              recovery,
              stock,
              userCoupons,
              lateClaims,
              codeKeys.pseudonyms(coupon.codeKeyVersion()),
              clock,
              executor,
              limits,
              observer,
              progress);
      rebuild.run();
      rebuilt.add(rebuild);
      observer.observe(
          new RecoveryObservation.CouponRebuilt(
              coupon.id(), rebuild.rows(), rebuild.unrecorded(), rebuild.took()));
    }
    boolean hasErasedUsers = rebuilt.stream().anyMatch(LedgerRebuild::hasErasedUsers);
    beforeReady.run();
    rebuilt.forEach(rebuild -> rebuild.ready(hasErasedUsers));
  }
}
