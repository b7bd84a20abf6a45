package io.firstcome.application.reconciliation;

import io.firstcome.application.stock.KnownEpochs;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.CouponStatus;
import io.firstcome.domain.coupon.StoredCoupon;
import io.firstcome.domain.port.CouponRepository;
import io.firstcome.domain.port.CouponStock;
import io.firstcome.domain.port.HandoffLog;
import io.firstcome.domain.port.LateClaimRepository;
import io.firstcome.domain.port.UserCouponRepository;
import java.time.InstantSource;
import java.util.Optional;

/** Proves that every allocated slot is recorded once, for the right user. */
public final class ProveExactness {

  private final CouponRepository coupons;
  private final CouponStock stock;
  private final HandoffLog log;
  private final UserCouponRepository userCoupons;
  private final LateClaimRepository lateClaims;
  private final PendingErasures erasures;
  private final KnownEpochs epochs;
  private final InstantSource clock;
  private final ComparisonLimits limits;

  public ProveExactness(
      CouponRepository coupons,
      CouponStock stock,
      HandoffLog log,
      UserCouponRepository userCoupons,
      LateClaimRepository lateClaims,
      PendingErasures erasures,
      KnownEpochs epochs,
      InstantSource clock,
      ComparisonLimits limits) {
    this.coupons = coupons;
    this.stock = stock;
    this.log = log;
    this.userCoupons = userCoupons;
    this.lateClaims = lateClaims;
    this.erasures = erasures;
    this.epochs = epochs;
    this.clock = clock;
    this.limits = limits;
  }

  /**
   * The proof of that coupon, or empty if there is none, or only a draft. An archived coupon has no
   * stock, and is proven from its rows alone.
   *
   * @throws io.firstcome.domain.port.StockUnavailableException if the stock is not reachable, or is
   *     being recovered
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if the database is not reachable
   */
  public Optional<ExactnessProof> prove(CouponId couponId) {
    return coupons.find(couponId).filter(Coupon::isPublished).map(this::prove);
  }

  /**
   * The same, for a coupon with many user coupons.
   *
   * @param afterEachPage called while it goes on
   */
  public Optional<ExactnessProof> prove(CouponId couponId, Runnable afterEachPage) {
    return prove(couponId, new ComparisonProgress(afterEachPage));
  }

  /** The same, with progress; it can be stopped. */
  Optional<ExactnessProof> prove(CouponId couponId, ComparisonProgress progress) {
    return coupons
        .find(couponId)
        .filter(Coupon::isPublished)
        .map(coupon -> prove(coupon, Pace.WITHOUT_REST, progress));
  }

  public ExactnessProof prove(Coupon coupon) {
    return prove(coupon, Pace.WITHOUT_REST);
  }

  /** The same, at that pace. */
  public ExactnessProof prove(Coupon coupon, Pace pace) {
    return prove(coupon, pace, new ComparisonProgress(() -> {}));
  }

  private ExactnessProof prove(Coupon coupon, Pace pace, ComparisonProgress progress) {
    if (coupon.status() == CouponStatus.ARCHIVED) {
      return new ArchivedRows(coupon, userCoupons, clock, limits).proof(removed(coupon));
    }
    var snapshot =
        new CouponSnapshotReader(
                coupon,
                coupons,
                epochs.address(coupon),
                stock,
                logOf(coupon),
                userCoupons,
                lateClaims,
                erasures,
                limits,
                pace,
                progress)
            .read();
    return new SnapshotComparison(
            snapshot, coupon.definition().totalQuantity(), limits.discrepanciesNamed())
        .proof(clock.instant());
  }

  private int removed(Coupon archived) {
    return coupons
        .findStored(archived.id())
        .map(StoredCoupon::removal)
        .map(StoredCoupon.Removal::userCoupons)
        .orElse(0);
  }

  private HandoffLog logOf(Coupon coupon) {
    return switch (coupon.stockBackend()) {
      case REDIS -> log;
      case POSTGRES -> HandoffLog.none();
    };
  }
}
