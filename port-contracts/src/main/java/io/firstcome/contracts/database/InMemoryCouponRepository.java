package io.firstcome.contracts.database;

import io.firstcome.contracts.database.InMemoryTables.CouponRow;
import io.firstcome.domain.audit.AuditEntry;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponChange;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.CouponPhase;
import io.firstcome.domain.coupon.CouponSection;
import io.firstcome.domain.coupon.CouponStatus;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.coupon.StockBackend;
import io.firstcome.domain.coupon.StoredCoupon;
import io.firstcome.domain.issuance.Epoch;
import io.firstcome.domain.port.CouponRepository;
import io.firstcome.domain.usercoupon.Actor;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** {@link CouponRepository} in memory. */
final class InMemoryCouponRepository implements CouponRepository {

  private static final Comparator<Coupon> ACTIVE_FIRST =
      Comparator.<Coupon, Boolean>comparing(coupon -> coupon.status() != CouponStatus.ACTIVE)
          .thenComparing(Coupon::id);

  private final InMemoryDatabase database;
  private final InMemoryTables tables;

  InMemoryCouponRepository(InMemoryDatabase database, InMemoryTables tables) {
    this.database = database;
    this.tables = tables;
  }

  @Override
  public boolean addIfAbsent(Coupon coupon, Actor actor, Instant at) {
    return database.transaction(() -> {
      if (wasDeleted(coupon.id())
          || tables.coupons.putIfAbsent(coupon.id(), CouponRow.added(coupon, at)) != null) {
        return false;
      }
      tables.addToAudit(AuditEntry.ofDefinition(coupon, actor, at));
      return true;
    });
  }

  private boolean wasDeleted(CouponId couponId) {
    return tables.audit.stream()
        .map(AuditEntry.Kept::entry)
        .anyMatch(entry ->
            entry.action() == AuditEntry.Action.DELETE && couponId.equals(entry.couponId()));
  }

  @Override
  public boolean change(CouponChange.Changed change, Actor actor, Instant at) {
    return database.transaction(() -> {
      var changed = change.coupon();
      var stored = tables.coupons.get(changed.id());
      if (stored == null || stored.coupon().revision() != change.before().revision()) {
        return false;
      }
      tables.coupons.put(changed.id(), stored.changed(changed, at));
      tables.addToAudit(AuditEntry.of(change, actor, at));
      return true;
    });
  }

  @Override
  public void noteFreeze(CouponId couponId) {
    database.transaction(
        () -> tables.coupons.computeIfPresent(couponId, (id, row) -> row.frozen(database.now())));
  }

  @Override
  public EditOutcome editUnclaimed(
      CouponChange.Changed change, Epoch epoch, Actor actor, Instant at) {
    return database.transaction(() -> {
      var before = change.before();
      if (before.stockBackend() == StockBackend.REDIS
          && !tables.epoch(before.partition()).equals(epoch)) {
        return EditOutcome.OTHER_EPOCH;
      }
      var row = tables.coupons.get(before.id());
      if (row == null || row.coupon().revision() != before.revision()) {
        return EditOutcome.OVERTAKEN;
      }
      if (tables.rows(before.id()).hasClaims() || hasTickets(before, epoch)) {
        return EditOutcome.CLAIMED;
      }
      tables.coupons.put(before.id(), row.edited(change.coupon(), at));
      tables.addToAudit(AuditEntry.of(change, actor, at));
      return EditOutcome.DONE;
    });
  }

  private boolean hasTickets(Coupon coupon, Epoch epoch) {
    var room = tables.rooms.get(coupon.id());
    return coupon.definition().waitingRoom() != null
        && room != null
        && (room.lastTicket() > 0 || !room.opening().epoch().equals(epoch));
  }

  @Override
  public boolean delete(Coupon draft, Actor actor, Instant at) {
    return database.transaction(() -> {
      var row = tables.coupons.get(draft.id());
      if (row == null
          || row.coupon().isPublished()
          || row.coupon().revision() != draft.revision()) {
        return false;
      }
      tables.coupons.remove(draft.id());
      tables.addToAudit(AuditEntry.ofDeletion(draft, actor, at));
      return true;
    });
  }

  @Override
  public boolean raiseRevision(Coupon before, int revision, Instant at) {
    var raised = before.withRevision(revision);
    return database.transaction(() -> {
      var stored = tables.coupons.get(before.id());
      if (stored == null || stored.coupon().revision() != before.revision()) {
        return false;
      }
      tables.coupons.put(before.id(), stored.raised(raised));
      tables.addToAudit(AuditEntry.ofRevision(before, revision, at));
      return true;
    });
  }

  @Override
  public Optional<Coupon> find(CouponId couponId) {
    return database.transaction(
        () -> Optional.ofNullable(tables.coupons.get(couponId)).map(CouponRow::coupon));
  }

  @Override
  public Optional<StoredCoupon> findStored(CouponId couponId) {
    return database.transaction(
        () -> Optional.ofNullable(tables.coupons.get(couponId)).map(CouponRow::stored));
  }

  @Override
  public List<Coupon> findAll(Collection<CouponId> couponIds) {
    return database.transaction(() ->
        tables.coupons.values().stream()
            .map(CouponRow::coupon)
            .filter(coupon -> couponIds.contains(coupon.id()))
            .toList());
  }

  @Override
  public List<StoredCoupon> page(@Nullable CouponStatus status, @Nullable CouponId after, int max) {
    return database.transaction(() ->
        tables.coupons.values().stream()
            .map(CouponRow::stored)
            .filter(stored -> status == null || stored.coupon().status() == status)
            .filter(stored -> after == null || stored.coupon().id().compareTo(after) > 0)
            .sorted(Comparator.comparing(stored -> stored.coupon().id()))
            .limit(max)
            .toList());
  }

  @Override
  public List<StoredCoupon> ofSection(
      CouponSection section, Instant now, String text, int skipped, int max) {
    Comparator<StoredCoupon> byTime =
        Comparator.comparing(stored -> {
          var window = stored.coupon().definition().window();
          return section.isSortedByEnd() ? window.closesAt() : window.opensAt();
        });
    return database.transaction(() ->
        tables.coupons.values().stream()
            .map(CouponRow::stored)
            .filter(stored -> CouponSection.of(stored.coupon(), now) == section)
            .filter(stored -> hasText(stored.coupon(), text.toLowerCase(Locale.ROOT)))
            .sorted(
                (section.isLatestFirst() ? byTime.reversed() : byTime)
                    .thenComparing(stored -> stored.coupon().id()))
            .skip(skipped)
            .limit(max)
            .toList());
  }

  private static boolean hasText(Coupon coupon, String text) {
    return coupon.id().value().toLowerCase(Locale.ROOT).contains(text)
        || coupon.definition().name().toLowerCase(Locale.ROOT).contains(text);
  }

  @Override
  public List<CouponId> listed(@Nullable CouponId after, int max) {
    return database.transaction(() ->
        tables.coupons.values().stream()
            .map(CouponRow::coupon)
            .filter(Coupon::hasStock)
            .map(Coupon::id)
            .filter(id -> !id.isOfRehearsal())
            .filter(id -> after == null || id.compareTo(after) > 0)
            .sorted()
            .limit(max)
            .toList());
  }

  @Override
  public List<Coupon> open(Instant now, @Nullable CouponId after, int max) {
    return database.transaction(() ->
        tables.coupons.values().stream()
            .map(CouponRow::coupon)
            .filter(coupon -> coupon.phaseAt(now, null) == CouponPhase.OPEN)
            .filter(coupon -> after == null || coupon.id().compareTo(after) > 0)
            .sorted(Comparator.comparing(Coupon::id))
            .limit(max)
            .toList());
  }

  @Override
  public List<Coupon> withWaitingRooms(
      Instant now, Duration around, @Nullable CouponId after, int max) {
    return database.transaction(() ->
        tables.coupons.values().stream()
            .map(CouponRow::coupon)
            .filter(coupon -> canBeJoined(coupon, now, around))
            .filter(coupon -> after == null || coupon.id().compareTo(after) > 0)
            .sorted(Comparator.comparing(Coupon::id))
            .limit(max)
            .toList());
  }

  @Override
  public List<Coupon> withWaitingRooms(@Nullable CouponId after, int max) {
    return database.transaction(() ->
        tables.coupons.values().stream()
            .map(CouponRow::coupon)
            .filter(coupon -> coupon.hasStock() && coupon.definition().waitingRoom() != null)
            .filter(coupon -> after == null || coupon.id().compareTo(after) > 0)
            .sorted(Comparator.comparing(Coupon::id))
            .limit(max)
            .toList());
  }

  private static boolean canBeJoined(Coupon coupon, Instant now, Duration around) {
    var room = coupon.definition().waitingRoom();
    return room != null
        && (coupon.status() == CouponStatus.ACTIVE || coupon.status() == CouponStatus.PAUSED)
        && !now.plus(around).isBefore(room.joinsFrom())
        && now.minus(around).isBefore(coupon.definition().window().closesAt());
  }

  @Override
  public List<Coupon> dueForArchive(Instant now, @Nullable CouponId after, int max) {
    return database.transaction(() -> {
      var earlier = now.isBefore(database.now()) ? now : database.now();
      return tables.coupons.values().stream()
          .map(CouponRow::coupon)
          .filter(Coupon::hasStock)
          .filter(coupon -> coupon.archivedFrom().filter(at -> !at.isAfter(earlier)).isPresent())
          .filter(coupon -> after == null || coupon.id().compareTo(after) > 0)
          .sorted(Comparator.comparing(Coupon::id))
          .limit(max)
          .toList();
    });
  }

  @Override
  public Set<Integer> codeKeyVersions() {
    return database.transaction(() ->
        tables.coupons.values().stream()
            .map(CouponRow::coupon)
            .filter(coupon -> coupon.status() != CouponStatus.ARCHIVED)
            .map(Coupon::codeKeyVersion)
            .collect(Collectors.toSet()));
  }

  @Override
  public List<Coupon> inPartition(Partition partition) {
    return database.transaction(() ->
        tables.coupons.values().stream()
            .map(CouponRow::coupon)
            .filter(coupon -> coupon.partition().equals(partition))
            .filter(coupon -> coupon.stockBackend() == StockBackend.REDIS)
            .filter(Coupon::hasStock)
            .sorted(ACTIVE_FIRST)
            .toList());
  }

  @Override
  public List<CouponId> removedInPartition(Partition partition, @Nullable CouponId after, int max) {
    return database.transaction(() ->
        tables.coupons.values().stream()
            .filter(stored -> stored.coupon().status() == CouponStatus.ARCHIVED)
            .filter(stored -> !stored.isUnapplied())
            .map(CouponRow::coupon)
            .filter(coupon -> coupon.partition().equals(partition))
            .filter(coupon -> coupon.stockBackend() == StockBackend.REDIS)
            .map(Coupon::id)
            .filter(id -> after == null || id.compareTo(after) > 0)
            .sorted()
            .limit(max)
            .toList());
  }

  @Override
  public List<Coupon> withStockFrom(Partition first, int max) {
    return database.transaction(() ->
        tables.coupons.values().stream()
            .filter(
                stored -> stored.coupon().status() != CouponStatus.ARCHIVED || stored.isUnapplied())
            .map(CouponRow::coupon)
            .filter(coupon -> coupon.partition().compareTo(first) >= 0)
            .filter(coupon -> coupon.stockBackend() == StockBackend.REDIS)
            .sorted(Comparator.comparing(Coupon::partition).reversed().thenComparing(Coupon::id))
            .limit(max)
            .toList());
  }

  @Override
  public List<Coupon> unapplied(@Nullable CouponId after, int max) {
    return database.transaction(() ->
        tables.coupons.values().stream()
            .filter(row -> row.isUnapplied() || wasFrozen(row))
            .map(CouponRow::coupon)
            .filter(Coupon::isPublished)
            .filter(coupon -> after == null || coupon.id().compareTo(after) > 0)
            .sorted(Comparator.comparing(Coupon::id))
            .limit(max)
            .toList());
  }

  private boolean wasFrozen(CouponRow row) {
    var frozenAt = row.frozenAt();
    return frozenAt != null && frozenAt.plus(FREEZE_LIMIT).isBefore(database.now());
  }

  /** Each call is a whole transaction here, so no lock outlives one. */
  @Override
  public Set<CouponId> lockedAmong(Set<CouponId> couponIds) {
    return Set.of();
  }

  @Override
  public boolean isApplied(CouponId couponId, int revision) {
    return database.transaction(() -> {
      var stored = tables.coupons.get(couponId);
      return stored != null && stored.stockRevision() >= revision;
    });
  }

  @Override
  public void noteApplied(CouponId couponId, int revision) {
    database.transaction(() ->
        tables.coupons.computeIfPresent(
            couponId,
            (id, stored) ->
                (revision > stored.stockRevision() || wasFrozen(stored))
                        && revision <= stored.coupon().revision()
                    ? stored.applied(revision)
                    : stored));
  }
}
