package io.firstcome.domain.port;

import io.firstcome.domain.audit.AuditEntry;
import io.firstcome.domain.audit.AuditEntryId;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.usercoupon.UserCouponId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The entries of the audit, which are added and never changed. What changes a row of a coupon or of
 * a user coupon adds its entry itself, together with the row. Failures are {@link
 * DatabaseUnavailableException}s.
 */
public interface AuditTrail {

  /** Adds the entry and returns only when it is kept durably. */
  void add(AuditEntry entry);

  /**
   * Entries of the coupon and of its user coupons, newest first.
   *
   * @param after the last entry of the page before, or null
   */
  List<AuditEntry.Kept> ofCoupon(CouponId couponId, @Nullable AuditEntryId after, int max);

  /**
   * Entries of the user coupon, newest first.
   *
   * @param after the last entry of the page before, or null
   */
  List<AuditEntry.Kept> ofUserCoupon(UserCouponId id, @Nullable AuditEntryId after, int max);
}
