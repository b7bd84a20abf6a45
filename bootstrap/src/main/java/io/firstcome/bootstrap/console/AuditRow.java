package io.firstcome.bootstrap.console;

import io.firstcome.bootstrap.rest.admin.AuditEntryJson;
import io.firstcome.domain.usercoupon.UserCoupon;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A row of a table of changes.
 *
 * @param userCouponId of the user coupon that was changed; null if it was another thing
 */
record AuditRow(
    String at, String who, String what, @Nullable String userCouponId, @Nullable String detail) {

  static List<AuditRow> of(List<AuditEntryJson> entries) {
    return entries.stream().map(AuditRow::of).toList();
  }

  private static AuditRow of(AuditEntryJson entry) {
    return new AuditRow(
        entry.at(),
        entry.actor().kind().toLowerCase(Locale.ROOT) + " " + entry.actor().name(),
        entry.action().replace('_', ' ').toLowerCase(Locale.ROOT),
        entry.userCouponId(),
        entry.detail());
  }

  /** The claim, which is not in the audit trail. */
  static AuditRow ofClaim(UserCoupon userCoupon) {
    return new AuditRow(
        userCoupon.issuedAt().toString(),
        "customer " + userCoupon.userId().value(),
        "claim",
        null,
        "slot " + userCoupon.slot().number());
  }
}
