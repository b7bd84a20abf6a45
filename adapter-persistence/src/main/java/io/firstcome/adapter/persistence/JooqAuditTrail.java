package io.firstcome.adapter.persistence;

import static io.firstcome.adapter.persistence.generated.Tables.AUDIT_ENTRY;

import io.firstcome.domain.audit.AuditEntry;
import io.firstcome.domain.audit.AuditEntryId;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.port.AuditTrail;
import io.firstcome.domain.usercoupon.UserCouponId;
import java.util.List;
import org.jooq.Condition;
import org.jspecify.annotations.Nullable;

/** {@link AuditTrail} in PostgreSQL. */
final class JooqAuditTrail implements AuditTrail {

  private final Database database;

  JooqAuditTrail(Database database) {
    this.database = database;
  }

  @Override
  public void add(AuditEntry entry) {
    var _ = database.statement(dsl -> AuditRows.add(dsl, List.of(entry)));
  }

  @Override
  public List<AuditEntry.Kept> ofCoupon(CouponId couponId, @Nullable AuditEntryId after, int max) {
    return page(AUDIT_ENTRY.COUPON_ID.eq(couponId.value()), after, max);
  }

  @Override
  public List<AuditEntry.Kept> ofUserCoupon(
      UserCouponId id, @Nullable AuditEntryId after, int max) {
    return page(AUDIT_ENTRY.USER_COUPON_ID.eq(id.toString()), after, max);
  }

  private List<AuditEntry.Kept> page(Condition which, @Nullable AuditEntryId after, int max) {
    return database.read(dsl ->
        dsl.selectFrom(AUDIT_ENTRY)
            .where(which)
            .and(AUDIT_ENTRY.AUDIT_ENTRY_ID.lt(after == null ? Long.MAX_VALUE : after.value()))
            .orderBy(AUDIT_ENTRY.AUDIT_ENTRY_ID.desc())
            .limit(max)
            .fetch(AuditRows::fromRow));
  }
}
