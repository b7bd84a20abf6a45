package io.firstcome.bootstrap.console;

import io.firstcome.bootstrap.rest.admin.AuditEntryJson;
import io.firstcome.domain.usercoupon.UserCoupon;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A row of a table of changes.
 *
 * @param subject what was changed; null if the page is about it, or if it has no page
 */
record AuditRow(
    String at, String who, String what, @Nullable Subject subject, @Nullable String detail) {

  /** Something with a page at this path. */
  record Subject(String name, String path) {

    private static Subject ofCoupon(String couponId) {
      return new Subject(couponId, "/console/coupons/" + couponId);
    }

    private static Subject ofUserCoupon(String userCouponId) {
      return new Subject(userCouponId, "/console/user-coupons/" + userCouponId);
    }
  }

  /** Rows of the page of a user coupon. */
  static List<AuditRow> ofUserCoupon(List<AuditEntryJson> entries) {
    return entries.stream().map(entry -> of(entry, null)).toList();
  }

  /** Rows of a page of a coupon, which name the user coupons. */
  static List<AuditRow> ofCoupon(List<AuditEntryJson> entries) {
    return entries.stream().map(entry -> of(entry, userCoupon(entry))).toList();
  }

  /** Rows which name the coupons and user coupons. */
  static List<AuditRow> ofAll(List<AuditEntryJson> entries) {
    return entries.stream()
        .map(entry -> of(entry, entry.userCouponId() == null ? coupon(entry) : userCoupon(entry)))
        .toList();
  }

  private static @Nullable Subject coupon(AuditEntryJson entry) {
    var id = entry.couponId();
    return id == null ? null : Subject.ofCoupon(id);
  }

  private static @Nullable Subject userCoupon(AuditEntryJson entry) {
    var id = entry.userCouponId();
    return id == null ? null : Subject.ofUserCoupon(id);
  }

  private static AuditRow of(AuditEntryJson entry, @Nullable Subject subject) {
    return new AuditRow(
        entry.at(),
        entry.actor().kind().toLowerCase(Locale.ROOT) + " " + entry.actor().name(),
        entry.action().replace('_', ' ').toLowerCase(Locale.ROOT),
        subject,
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
