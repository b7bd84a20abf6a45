package io.firstcome.contracts.database;

import io.firstcome.domain.audit.AuditEntry;
import io.firstcome.domain.audit.AuditEntryId;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.port.AuditTrail;
import io.firstcome.domain.usercoupon.Actor;
import io.firstcome.domain.usercoupon.UserCouponId;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** {@link AuditTrail} in memory. */
final class InMemoryAuditTrail implements AuditTrail {

  private final InMemoryDatabase database;
  private final InMemoryTables tables;

  InMemoryAuditTrail(InMemoryDatabase database, InMemoryTables tables) {
    this.database = database;
    this.tables = tables;
  }

  @Override
  public void add(AuditEntry entry) {
    database.transaction(() -> {
      tables.addToAudit(entry);
      return true;
    });
  }

  @Override
  public List<AuditEntry.Kept> ofCoupon(CouponId couponId, @Nullable AuditEntryId after, int max) {
    return page(entry -> couponId.equals(entry.couponId()), after, max);
  }

  @Override
  public List<AuditEntry.Kept> ofUserCoupon(
      UserCouponId id, @Nullable AuditEntryId after, int max) {
    return page(entry -> id.equals(entry.userCouponId()), after, max);
  }

  @Override
  public List<AuditEntry.Kept> ofOperators(@Nullable AuditEntryId after, int max) {
    return page(entry -> entry.actor().kind() == Actor.Kind.OPERATOR, after, max);
  }

  @Override
  public Optional<AuditEntry> newestOfStock() {
    return database.transaction(() ->
        tables.audit.reversed().stream()
            .map(AuditEntry.Kept::entry)
            .filter(AuditEntry::isOfStock)
            .findFirst());
  }

  private List<AuditEntry.Kept> page(
      Predicate<AuditEntry> which, @Nullable AuditEntryId after, int max) {
    return database.transaction(() ->
        tables.audit.reversed().stream()
            .filter(kept -> which.test(kept.entry()))
            .filter(kept -> after == null || kept.id().compareTo(after) < 0)
            .limit(max)
            .toList());
  }
}
