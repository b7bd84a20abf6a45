package io.firstcome.domain.retention;

import io.firstcome.domain.audit.AuditEntry;
import io.firstcome.domain.usercoupon.RecordedRedemption;
import io.firstcome.domain.usercoupon.UserCoupon;
import java.util.List;

/**
 * A user coupon with everything that is removed with it.
 *
 * @param redemptions of current and earlier orders
 * @param audit its entries of the audit trail, oldest first
 */
public record ExportedUserCoupon(
    UserCoupon userCoupon, List<RecordedRedemption> redemptions, List<AuditEntry.Kept> audit) {

  public ExportedUserCoupon {
    redemptions = List.copyOf(redemptions);
    audit = List.copyOf(audit);
  }
}
