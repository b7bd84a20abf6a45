package io.firstcome.contracts.database;

import static java.util.Objects.requireNonNull;

import io.firstcome.contracts.database.InMemoryTables.CouponRow;
import io.firstcome.contracts.database.InMemoryTables.CouponRows;
import io.firstcome.domain.audit.AuditEntry;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.CouponStatus;
import io.firstcome.domain.coupon.StoredCoupon.Removal;
import io.firstcome.domain.handoff.DeadLetter.Content;
import io.firstcome.domain.issuance.SlotOwner;
import io.firstcome.domain.port.RetentionExport;
import io.firstcome.domain.port.UserCouponRetention;
import io.firstcome.domain.retention.ExportPart;
import io.firstcome.domain.retention.ExportedUserCoupon;
import io.firstcome.domain.retention.RejectedClaim;
import io.firstcome.domain.retention.RemovalStep;
import io.firstcome.domain.usercoupon.UserCoupon;
import io.firstcome.domain.usercoupon.UserCouponState;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** {@link UserCouponRetention} in memory. */
final class InMemoryUserCouponRetention implements UserCouponRetention {

  /** Live ones first, then by slot and generation. */
  private static final Comparator<SlotOwner> IN_ORDER =
      Comparator.comparing(SlotOwner::live).reversed().thenComparing(SlotOwner.BY_SLOT);

  private final InMemoryDatabase database;
  private final InMemoryTables tables;

  InMemoryUserCouponRetention(InMemoryDatabase database, InMemoryTables tables) {
    this.database = database;
    this.tables = tables;
  }

  @Override
  public List<CouponId> due(Instant endedBy, @Nullable CouponId after, int max) {
    return database.transaction(() ->
        tables.coupons.keySet().stream()
            .filter(couponId -> after == null || couponId.compareTo(after) > 0)
            .filter(couponId -> isDue(row(couponId), endedBy))
            .sorted()
            .limit(max)
            .toList());
  }

  private CouponRow row(CouponId couponId) {
    return requireNonNull(tables.coupons.get(couponId));
  }

  private boolean isDue(CouponRow row, Instant endedBy) {
    var removal = row.stored().removal();
    return row.coupon().status() == CouponStatus.ARCHIVED
        && !row.isUnapplied()
        && (removal == null || removal.endedAt() == null)
        && !end(row).isAfter(endedBy);
  }

  private static Instant end(CouponRow row) {
    var definition = row.coupon().definition();
    var validUntil = definition.validity().endsAt(definition.window().closesAt());
    var changedAt = row.stored().changedAt();
    return changedAt.isAfter(validUntil) ? changedAt : validUntil;
  }

  @Override
  public boolean begin(CouponId couponId, Instant endedBy) {
    return database.transaction(() -> {
      var row = tables.coupons.get(couponId);
      if (row == null || !isDue(row, endedBy)) {
        return false;
      }
      if (row.stored().removal() != null) {
        return true;
      }
      if (areRowsNeeded(row.coupon())) {
        return false;
      }
      tables.coupons.put(couponId, row.removing(new Removal(database.now(), null, 0)));
      return true;
    });
  }

  private boolean areRowsNeeded(Coupon coupon) {
    var couponId = coupon.id();
    var rows = tables.rows(couponId);
    return isCampaignOpen(coupon)
        || !rows.late.isEmpty()
        || rows.byUser.values().stream().anyMatch(row -> !isFinal(row))
        || tables.slotReturns.keySet().stream().anyMatch(id -> id.couponId().equals(couponId))
        || tables.events.values().stream().anyMatch(event -> event.couponId().equals(couponId))
        || tables.deadLetters.values().stream()
            .anyMatch(letter ->
                letter.content() instanceof Content.Claims(var entry)
                    && entry.couponId().equals(couponId));
  }

  private boolean isCampaignOpen(Coupon coupon) {
    return coupon.campaign() != null
        && tables.coupons.values().stream()
            .map(CouponRow::coupon)
            .filter(other -> coupon.campaign().equals(other.campaign()))
            .anyMatch(other -> other.status() != CouponStatus.ARCHIVED);
  }

  private static boolean isFinal(UserCoupon row) {
    return row.state() != UserCouponState.ISSUED && row.state() != UserCouponState.HELD;
  }

  @Override
  public RemovalStep removeNext(
      CouponId couponId, @Nullable SlotOwner after, int max, RetentionExport export) {
    return database.transaction(() -> {
      var coupon = tables.coupons.get(couponId);
      var removal = coupon == null ? null : coupon.stored().removal();
      if (coupon == null || removal == null || removal.endedAt() != null) {
        return new RemovalStep.Elsewhere();
      }
      var rows = tables.rows(couponId);
      var next = next(rows, after, max);
      if (!next.stream().allMatch(InMemoryUserCouponRetention::isFinal)) {
        return new RemovalStep.NotFinal();
      }
      if (!next.isEmpty()) {
        export.store(
            new ExportPart.UserCoupons(
                couponId, next.stream().map(row -> exported(rows, row)).toList()));
        remove(coupon, removal, rows, next);
        return new RemovalStep.Removed(next.size(), owner(next.getLast()));
      }
      if (!rows.rejected.isEmpty()) {
        return new RemovalStep.Removed(removeRejected(couponId, rows, max, export), after);
      }
      tables.coupons.put(
          couponId,
          coupon.removing(new Removal(removal.begunAt(), database.now(), removal.userCoupons())));
      tables.addToAudit(AuditEntry.ofRemoval(couponId, removal.userCoupons(), database.now()));
      return new RemovalStep.Ended();
    });
  }

  private static List<UserCoupon> next(CouponRows rows, @Nullable SlotOwner after, int max) {
    var sorted =
        rows.byUser.values().stream()
            .filter(row -> after == null || IN_ORDER.compare(owner(row), after) > 0)
            .sorted(Comparator.comparing(InMemoryUserCouponRetention::owner, IN_ORDER))
            .toList();
    return sorted.stream()
        .takeWhile(row -> row.slotWentBack() == sorted.getFirst().slotWentBack())
        .limit(max)
        .toList();
  }

  private static SlotOwner owner(UserCoupon row) {
    return CouponRows.owner(row, !row.slotWentBack());
  }

  private ExportedUserCoupon exported(CouponRows rows, UserCoupon row) {
    return new ExportedUserCoupon(
        row,
        rows.redemptions.values().stream()
            .filter(redemption -> redemption.id().userCouponId().equals(row.id()))
            .sorted(Comparator.comparing(redemption -> redemption.id().toString()))
            .toList(),
        tables.audit.stream()
            .filter(kept -> row.id().equals(kept.entry().userCouponId()))
            .toList());
  }

  private void remove(
      CouponRow coupon, Removal removal, CouponRows rows, List<UserCoupon> removed) {
    var ids = removed.stream().map(UserCoupon::id).collect(Collectors.toSet());
    removed.forEach(rows::remove);
    removed.forEach(row -> tables.codes.remove(row.identity().code()));
    tables.audit.removeIf(kept -> isOfOneOf(ids, kept));
    tables.coupons.put(
        coupon.coupon().id(),
        coupon.removing(
            new Removal(removal.begunAt(), null, removal.userCoupons() + removed.size())));
  }

  private static boolean isOfOneOf(Set<?> userCouponIds, AuditEntry.Kept kept) {
    var id = kept.entry().userCouponId();
    return id != null && userCouponIds.contains(id);
  }

  private static int removeRejected(
      CouponId couponId, CouponRows rows, int max, RetentionExport export) {
    var rejected =
        rows.rejected.entrySet().stream()
            .limit(max)
            .map(entry -> new RejectedClaim(entry.getKey(), entry.getValue()))
            .toList();
    export.store(new ExportPart.RejectedClaims(couponId, rejected));
    rejected.forEach(claim -> rows.rejected.remove(claim.userId()));
    return rejected.size();
  }
}
