package io.firstcome.domain.port;

import io.firstcome.domain.audit.AuditEntry;
import io.firstcome.domain.audit.AuditEntryId;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.usercoupon.UserCouponId;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The audit trail: entries are added and never changed, except that a user who is erased is
 * replaced by a pseudonym. A change of the row of a coupon or of a user coupon adds its entry in
 * the same transaction. Failures are {@link DatabaseUnavailableException}s.
 */
public interface AuditTrail {

  /** Adds the entry and returns only when it is stored durably. */
  void add(AuditEntry entry);

  /**
   * Entries of the coupon and of its user coupons, newest first.
   *
   * @param after the last entry of the previous page, or null
   */
  List<AuditEntry.Kept> ofCoupon(CouponId couponId, @Nullable AuditEntryId after, int max);

  /**
   * Entries of the user coupon, newest first.
   *
   * @param after the last entry of the previous page, or null
   */
  List<AuditEntry.Kept> ofUserCoupon(UserCouponId id, @Nullable AuditEntryId after, int max);

  /**
   * What operators did, newest first, whatever it concerns.
   *
   * @param after the last entry of the previous page, or null
   */
  List<AuditEntry.Kept> ofOperators(@Nullable AuditEntryId after, int max);

  /** The newest entry about the whole stock, or empty if there is none. */
  Optional<AuditEntry> newestOfStock();
}
