package io.firstcome.adapter.persistence.audit;

import static io.firstcome.adapter.persistence.generated.Tables.AUDIT_ENTRY;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.row;

import io.firstcome.adapter.persistence.session.Database;
import io.firstcome.domain.audit.AuditEntry;
import io.firstcome.domain.audit.AuditEntry.Action;
import io.firstcome.domain.audit.AuditEntryId;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.port.AuditTrail;
import io.firstcome.domain.usercoupon.Actor;
import io.firstcome.domain.usercoupon.UserCouponId;
import java.util.List;
import java.util.Optional;
import org.jooq.Field;
import org.jspecify.annotations.Nullable;

/** {@link AuditTrail} in PostgreSQL. */
public final class JooqAuditTrail implements AuditTrail {

  private final Database database;

  public JooqAuditTrail(Database database) {
    this.database = database;
  }

  @Override
  public void add(AuditEntry entry) {
    var _ = database.statement(dsl -> AuditRows.add(dsl, List.of(entry)));
  }

  @Override
  public List<AuditEntry.Kept> ofCoupon(CouponId couponId, @Nullable AuditEntryId after, int max) {
    return page(AUDIT_ENTRY.COUPON_ID, couponId.value(), after, max);
  }

  @Override
  public List<AuditEntry.Kept> ofUserCoupon(
      UserCouponId id, @Nullable AuditEntryId after, int max) {
    return page(AUDIT_ENTRY.USER_COUPON_ID, id.toString(), after, max);
  }

  @Override
  public List<AuditEntry.Kept> ofOperators(@Nullable AuditEntryId after, int max) {
    return database.read(dsl ->
        dsl.selectFrom(AUDIT_ENTRY)
            .where(AUDIT_ENTRY.ACTOR_KIND.eq(inline(Actor.Kind.OPERATOR.name())))
            .and(AUDIT_ENTRY.AUDIT_ENTRY_ID.lt(before(after)))
            .orderBy(AUDIT_ENTRY.AUDIT_ENTRY_ID.desc())
            .limit(max)
            .fetch(AuditRows::fromRow));
  }

  private static long before(@Nullable AuditEntryId after) {
    return after == null ? Long.MAX_VALUE : after.value();
  }

  @Override
  public Optional<AuditEntry> newestOfStock() {
    return database.read(dsl ->
        dsl.selectFrom(AUDIT_ENTRY)
            .where(
                AUDIT_ENTRY.ACTION.in(
                    inline(Action.RECOVER_STOCK.name()), inline(Action.STATE_SET_BACK.name())))
            .orderBy(AUDIT_ENTRY.AUDIT_ENTRY_ID.desc())
            .limit(1)
            .fetchOptional(AuditRows::fromRow)
            .map(AuditEntry.Kept::entry));
  }

  /**
   * Bounds the subject from both sides and sorts by it, which selects the same rows as an equality.
   * With an equality the primary key has the order too, and the planner prefers it for a subject
   * with many entries, as if they were spread evenly. In fact they are from a short time, so it
   * would read all entries since then.
   */
  private List<AuditEntry.Kept> page(
      Field<String> subject, String id, @Nullable AuditEntryId after, int max) {
    return database.read(dsl ->
        dsl.selectFrom(AUDIT_ENTRY)
            .where(subject.ge(id))
            .and(row(subject, AUDIT_ENTRY.AUDIT_ENTRY_ID).lt(id, before(after)))
            .orderBy(subject.desc(), AUDIT_ENTRY.AUDIT_ENTRY_ID.desc())
            .limit(max)
            .fetch(AuditRows::fromRow));
  }
}
