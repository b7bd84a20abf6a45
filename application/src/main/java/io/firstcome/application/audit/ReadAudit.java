package io.firstcome.application.audit;

import io.firstcome.domain.audit.AuditEntry;
import io.firstcome.domain.audit.AuditEntryId;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.port.AuditTrail;
import io.firstcome.domain.port.CouponRepository;
import io.firstcome.domain.port.UserCouponRepository;
import io.firstcome.domain.usercoupon.UserCouponId;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Shows operators who did what. */
public final class ReadAudit {

  private final AuditTrail audit;
  private final CouponRepository coupons;
  private final UserCouponRepository userCoupons;

  public ReadAudit(AuditTrail audit, CouponRepository coupons, UserCouponRepository userCoupons) {
    this.audit = audit;
    this.coupons = coupons;
    this.userCoupons = userCoupons;
  }

  /**
   * Entries of the coupon and of its user coupons, newest first; empty if there is neither an entry
   * nor such a coupon.
   *
   * @param after the last entry of the previous page, or null
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if the database is not reachable
   */
  public Optional<List<AuditEntry.Kept>> ofCoupon(
      CouponId couponId, @Nullable AuditEntryId after, int max) {
    var page = audit.ofCoupon(couponId, after, max);
    return page.isEmpty() && coupons.find(couponId).isEmpty()
        ? Optional.empty()
        : Optional.of(page);
  }

  /**
   * Entries of the user coupon, newest first; empty if there is neither an entry nor such a user
   * coupon.
   *
   * @param after the last entry of the previous page, or null
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if the database is not reachable
   */
  public Optional<List<AuditEntry.Kept>> ofUserCoupon(
      UserCouponId id, @Nullable AuditEntryId after, int max) {
    var page = audit.ofUserCoupon(id, after, max);
    return page.isEmpty() && userCoupons.find(id).isEmpty() ? Optional.empty() : Optional.of(page);
  }

  /**
   * What operators did, newest first, whatever it concerns.
   *
   * @param after the last entry of the previous page, or null
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if the database is not reachable
   */
  public List<AuditEntry.Kept> ofOperators(@Nullable AuditEntryId after, int max) {
    return audit.ofOperators(after, max);
  }
}
