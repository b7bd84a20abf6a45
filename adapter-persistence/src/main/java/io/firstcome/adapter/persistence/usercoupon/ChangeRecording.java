package io.firstcome.adapter.persistence.usercoupon;

import static io.firstcome.adapter.persistence.generated.Tables.USER_COUPON;

import io.firstcome.adapter.persistence.audit.AuditRows;
import io.firstcome.adapter.persistence.event.EventRows;
import io.firstcome.domain.audit.AuditEntry;
import io.firstcome.domain.event.CouponEvent;
import io.firstcome.domain.usercoupon.UserCouponChange;
import io.firstcome.domain.usercoupon.UserCouponId;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jooq.DSLContext;

/**
 * Writes steps (changes of state) of user coupons within a transaction: their rows, redemptions,
 * audit entries and events. Many steps take the same few statements as one.
 */
final class ChangeRecording {

  private static final Comparator<UserCouponChange> BY_ID =
      Comparator.comparing(change -> change.after().id().toString());

  private final DSLContext transaction;

  ChangeRecording(DSLContext transaction) {
    this.transaction = transaction;
  }

  static void requireEachUserCouponOnce(List<UserCouponChange> changes) {
    var seen = new HashSet<UserCouponId>();
    for (var change : changes) {
      if (!seen.add(change.after().id())) {
        throw new IllegalArgumentException(
            "changes must be of different user coupons: two of " + change.after().id());
      }
    }
  }

  /** Returns those that were written; user coupons whose row has another revision are skipped. */
  Set<UserCouponId> record(List<UserCouponChange> changes) {
    var sorted = changes.stream().sorted(BY_ID).toList();
    var recorded = update(sorted);
    if (recorded.isEmpty()) {
      return recorded;
    }
    var steps = sorted.stream().filter(change -> recorded.contains(change.after().id())).toList();
    RedemptionRows.end(transaction, steps);
    RedemptionRows.put(transaction, steps);
    AuditRows.add(transaction, steps.stream().map(AuditEntry::of).toList());
    EventRows.add(transaction, steps.stream().map(CouponEvent::of).toList());
    return recorded;
  }

  private Set<UserCouponId> update(List<UserCouponChange> sorted) {
    return transaction
        .update(USER_COUPON)
        .set(USER_COUPON.STATE, IncomingSteps.STATE)
        .set(USER_COUPON.REVISION, IncomingSteps.REVISION)
        .set(USER_COUPON.ORDER_ID, IncomingSteps.ORDER_ID)
        .set(USER_COUPON.LIVE, IncomingSteps.LIVE)
        .set(USER_COUPON.ENDED_AT, IncomingSteps.ENDED_AT)
        .set(USER_COUPON.REVOCATION_REASON, IncomingSteps.REVOCATION_REASON)
        .from(IncomingSteps.of(sorted))
        .where(USER_COUPON.TAG.eq(IncomingSteps.TAG))
        .and(USER_COUPON.REVISION.eq(IncomingSteps.REVISION_BEFORE))
        .returningResult(IncomingSteps.PLACE)
        .fetchSet(row -> sorted.get((int) (row.value1() - 1)).after().id());
  }
}
