package io.firstcome.adapter.persistence.coupon;

import static io.firstcome.adapter.persistence.generated.Tables.COUPON;
import static java.util.stream.Collectors.toUnmodifiableSet;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.greatest;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.least;
import static org.jooq.impl.DSL.noCondition;
import static org.jooq.impl.DSL.not;
import static org.jooq.impl.DSL.val;

import io.firstcome.adapter.persistence.audit.AuditRows;
import io.firstcome.adapter.persistence.epoch.Epochs;
import io.firstcome.adapter.persistence.session.Columns;
import io.firstcome.adapter.persistence.session.Database;
import io.firstcome.adapter.persistence.session.DatabaseTime;
import io.firstcome.adapter.persistence.session.PersistenceLimits;
import io.firstcome.domain.audit.AuditEntry;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponChange;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.CouponSection;
import io.firstcome.domain.coupon.CouponStatus;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.coupon.StockBackend;
import io.firstcome.domain.coupon.StoredCoupon;
import io.firstcome.domain.issuance.Epoch;
import io.firstcome.domain.observation.ConsistencyObservation;
import io.firstcome.domain.observation.IssuanceObserver;
import io.firstcome.domain.port.CouponRepository;
import io.firstcome.domain.usercoupon.Actor;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.ResultQuery;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;

/** {@link CouponRepository} in PostgreSQL. */
public final class JooqCouponRepository implements CouponRepository {

  /** Inlined and not a parameter: the planner must see that a partial index can be used. */
  private static final Condition IS_ARCHIVED =
      COUPON.STATUS.eq(inline(CouponStatus.ARCHIVED.name()));

  /** Written like the conditions of the indexes that it allows to use. */
  private static final Condition HAS_STOCK =
      COUPON.STATUS.in(
          inline(CouponStatus.ACTIVE.name()),
          inline(CouponStatus.PAUSED.name()),
          inline(CouponStatus.CLOSED.name()));

  private static final Condition CAN_BE_RESUMED =
      COUPON.STATUS.in(inline(CouponStatus.ACTIVE.name()), inline(CouponStatus.PAUSED.name()));

  private static final Condition IS_DRAFT = COUPON.STATUS.eq(inline(CouponStatus.DRAFT.name()));

  private static final Condition IS_BEHIND = COUPON.STOCK_REVISION.lt(COUPON.REVISION);

  /** {@link Coupon#archivedFrom} says the same. */
  private static final Field<Instant> ARCHIVED_FROM =
      field(
          "{0} + {1} * interval '1 second'",
          SQLDataType.INSTANT, CouponRows.validityEnd(), COUPON.ARCHIVE_AFTER_SECONDS);

  private final Database database;
  private final PersistenceLimits limits;
  private final IssuanceObserver observer;

  public JooqCouponRepository(
      Database database, PersistenceLimits limits, IssuanceObserver observer) {
    this.database = database;
    this.limits = limits;
    this.observer = observer;
  }

  @Override
  public boolean addIfAbsent(Coupon coupon, Actor actor, Instant at) {
    try {
      return database.transaction(dsl -> add(dsl, coupon, actor, at));
    } catch (UsedIdException e) {
      return false;
    }
  }

  /** Rolls the insert back. */
  private static final class UsedIdException extends RuntimeException {

    private static final long serialVersionUID = 1L;
  }

  private static boolean add(DSLContext dsl, Coupon coupon, Actor actor, Instant at) {
    Epochs.ensure(dsl, coupon.partition());
    boolean added =
        dsl.insertInto(COUPON)
                .set(CouponRows.toRow(coupon))
                .set(COUPON.DEFINED_AT, at)
                .set(COUPON.CHANGED_AT, at)
                .onConflict(COUPON.COUPON_ID)
                .doNothing()
                .execute()
            == 1;
    // After the insert, which waits for a deletion that is in progress.
    if (added && AuditRows.hasDeletionOf(dsl, coupon.id())) {
      throw new UsedIdException();
    }
    if (added) {
      AuditRows.add(dsl, List.of(AuditEntry.ofDefinition(coupon, actor, at)));
    }
    return added;
  }

  @Override
  public boolean change(CouponChange.Changed change, Actor actor, Instant at) {
    return database.transaction(
        limits.shortLockWait(),
        dsl -> {
          boolean changed =
              dsl.update(COUPON)
                      .set(CouponRows.changeable(change.coupon()))
                      .set(COUPON.CHANGED_AT, at)
                      .where(isAsRead(change.before()))
                      .execute()
                  == 1;
          if (changed) {
            AuditRows.add(dsl, List.of(AuditEntry.of(change, actor, at)));
          }
          return changed;
        });
  }

  /** Whether the row has the revision that was read. */
  static Condition isAsRead(Coupon before) {
    return COUPON.COUPON_ID.eq(before.id().value()).and(COUPON.REVISION.eq(before.revision()));
  }

  @Override
  public void noteFreeze(CouponId couponId) {
    database.statement(dsl ->
        dsl.update(COUPON)
            .set(COUPON.STOCK_FROZEN_AT, DatabaseTime.NOW)
            .where(COUPON.COUPON_ID.eq(couponId.value()))
            .execute());
  }

  @Override
  public EditOutcome editUnclaimed(
      CouponChange.Changed change, Epoch epoch, Actor actor, Instant at) {
    return database.transaction(
        limits.shortLockWait(), dsl -> new UnclaimedEdit(dsl, change).commit(epoch, actor, at));
  }

  @Override
  public boolean delete(Coupon draft, Actor actor, Instant at) {
    return database.transaction(
        limits.shortLockWait(),
        dsl -> {
          boolean deleted =
              dsl.deleteFrom(COUPON).where(isAsRead(draft)).and(IS_DRAFT).execute() == 1;
          if (deleted) {
            AuditRows.add(dsl, List.of(AuditEntry.ofDeletion(draft, actor, at)));
          }
          return deleted;
        });
  }

  @Override
  public boolean raiseRevision(Coupon before, int revision, Instant at) {
    return database.transaction(
        limits.shortLockWait(),
        dsl -> {
          boolean raised =
              dsl.update(COUPON)
                      .set(COUPON.REVISION, before.withRevision(revision).revision())
                      .where(isAsRead(before))
                      .execute()
                  == 1;
          if (raised) {
            AuditRows.add(dsl, List.of(AuditEntry.ofRevision(before, revision, at)));
          }
          return raised;
        });
  }

  @Override
  public Optional<Coupon> find(CouponId couponId) {
    return database.read(dsl ->
        CouponRows.withCampaigns(dsl)
            .where(COUPON.COUPON_ID.eq(couponId.value()))
            .fetchOptional(CouponRows::fromRow));
  }

  @Override
  public Optional<StoredCoupon> findStored(CouponId couponId) {
    return database.read(dsl ->
        CouponRows.withCampaigns(dsl)
            .where(COUPON.COUPON_ID.eq(couponId.value()))
            .fetchOptional(CouponRows::storedFromRow));
  }

  @Override
  public List<Coupon> findAll(Collection<CouponId> couponIds) {
    return readable(dsl ->
        CouponRows.withCampaigns(dsl)
            .where(Columns.isOneOf(COUPON.COUPON_ID, couponIds.stream().map(CouponId::value))));
  }

  @Override
  public List<StoredCoupon> page(@Nullable CouponStatus status, @Nullable CouponId after, int max) {
    return readable(
        dsl ->
            CouponRows.withCampaigns(dsl)
                .where(status == null ? noCondition() : COUPON.STATUS.eq(status.name()))
                .and(COUPON.COUPON_ID.gt(after == null ? "" : after.value()))
                .orderBy(COUPON.COUPON_ID)
                .limit(max),
        CouponRows::storedFromRow);
  }

  @Override
  public List<StoredCoupon> ofSection(
      CouponSection section, Instant now, String text, int skipped, int max) {
    var time = section.isSortedByEnd() ? COUPON.CLOSES_AT : COUPON.OPENS_AT;
    return readable(
        dsl ->
            CouponRows.withCampaigns(dsl)
                .where(isOf(section, val(now)))
                .and(
                    COUPON
                        .COUPON_ID
                        .containsIgnoreCase(text)
                        .or(COUPON.NAME.containsIgnoreCase(text)))
                .orderBy(section.isLatestFirst() ? time.desc() : time.asc(), COUPON.COUPON_ID.asc())
                .offset(skipped)
                .limit(max),
        CouponRows::storedFromRow);
  }

  private static Condition isOf(CouponSection section, Field<Instant> now) {
    var isLive =
        COUPON.STATUS.in(inline(CouponStatus.ACTIVE.name()), inline(CouponStatus.PAUSED.name()));
    return switch (section) {
      case OPEN -> isLive.and(COUPON.OPENS_AT.le(now)).and(COUPON.CLOSES_AT.gt(now));
      case SCHEDULED -> isLive.and(COUPON.OPENS_AT.gt(now)).and(COUPON.CLOSES_AT.gt(now));
      case DRAFT -> COUPON.STATUS.eq(inline(CouponStatus.DRAFT.name()));
      case ENDED ->
          isLive
              .and(COUPON.CLOSES_AT.le(now))
              .or(COUPON.STATUS.eq(inline(CouponStatus.CLOSED.name())));
      case ARCHIVED -> COUPON.STATUS.eq(inline(CouponStatus.ARCHIVED.name()));
    };
  }

  @Override
  public List<CouponId> listed(@Nullable CouponId after, int max) {
    return database.read(dsl ->
        dsl.select(COUPON.COUPON_ID)
            .from(COUPON)
            .where(HAS_STOCK)
            .and(not(COUPON.COUPON_ID.startsWith(inline(CouponId.REHEARSAL_PREFIX))))
            .and(COUPON.COUPON_ID.gt(after == null ? "" : after.value()))
            .orderBy(COUPON.COUPON_ID)
            .limit(max)
            .fetch(row -> new CouponId(row.value1())));
  }

  @Override
  public List<Coupon> open(Instant now, @Nullable CouponId after, int max) {
    return readable(dsl ->
        CouponRows.withCampaigns(dsl)
            .where(CouponRows.isOpenAt(val(now)))
            .and(COUPON.COUPON_ID.gt(after == null ? "" : after.value()))
            .orderBy(COUPON.COUPON_ID)
            .limit(max));
  }

  @Override
  public List<Coupon> withWaitingRooms(
      Instant now, Duration around, @Nullable CouponId after, int max) {
    return readable(dsl ->
        CouponRows.withCampaigns(dsl)
            .where(COUPON.WAITING_ROOM_MODE.isNotNull())
            .and(CAN_BE_RESUMED)
            .and(COUPON.WAITING_ROOM_JOINS_FROM.le(now.plus(around)))
            .and(COUPON.CLOSES_AT.gt(now.minus(around)))
            .and(COUPON.COUPON_ID.gt(after == null ? "" : after.value()))
            .orderBy(COUPON.COUPON_ID)
            .limit(max));
  }

  @Override
  public List<Coupon> withWaitingRooms(@Nullable CouponId after, int max) {
    return readable(dsl ->
        CouponRows.withCampaigns(dsl)
            .where(COUPON.WAITING_ROOM_MODE.isNotNull())
            .and(HAS_STOCK)
            .and(COUPON.COUPON_ID.gt(after == null ? "" : after.value()))
            .orderBy(COUPON.COUPON_ID)
            .limit(max));
  }

  @Override
  public List<Coupon> dueForArchive(Instant now, @Nullable CouponId after, int max) {
    return readable(dsl ->
        CouponRows.withCampaigns(dsl)
            .where(COUPON.ARCHIVE_AFTER_SECONDS.isNotNull())
            .and(HAS_STOCK)
            .and(ARCHIVED_FROM.le(least(DatabaseTime.NOW, val(now))))
            .and(COUPON.COUPON_ID.gt(after == null ? "" : after.value()))
            .orderBy(COUPON.COUPON_ID)
            .limit(max));
  }

  @Override
  public Set<Integer> codeKeyVersions() {
    return database.read(dsl ->
        dsl.selectDistinct(COUPON.CODE_KEY_VERSION)
            .from(COUPON)
            .where(COUPON.STATUS.ne(inline(CouponStatus.ARCHIVED.name())))
            .fetchSet(COUPON.CODE_KEY_VERSION));
  }

  @Override
  public List<Coupon> inPartition(Partition partition) {
    return readable(dsl ->
        CouponRows.withCampaigns(dsl)
            .where(COUPON.PARTITION_ID.eq(partition.number()))
            .and(COUPON.STOCK_BACKEND.eq(StockBackend.REDIS.name()))
            .and(not(IS_ARCHIVED))
            .and(not(IS_DRAFT))
            .orderBy(COUPON.STATUS.ne(CouponStatus.ACTIVE.name()), COUPON.COUPON_ID));
  }

  @Override
  public List<CouponId> removedInPartition(Partition partition, @Nullable CouponId after, int max) {
    return database.read(dsl ->
        dsl.select(COUPON.COUPON_ID)
            .from(COUPON)
            .where(COUPON.PARTITION_ID.eq(partition.number()))
            .and(COUPON.STOCK_BACKEND.eq(StockBackend.REDIS.name()))
            .and(IS_ARCHIVED)
            .and(COUPON.STOCK_REVISION.eq(COUPON.REVISION))
            .and(COUPON.COUPON_ID.gt(after == null ? "" : after.value()))
            .orderBy(COUPON.COUPON_ID)
            .limit(max)
            .fetch(row -> new CouponId(row.value1())));
  }

  @Override
  public List<Coupon> withStockFrom(Partition first, int max) {
    return readable(dsl ->
        CouponRows.withCampaigns(dsl)
            .where(COUPON.PARTITION_ID.ge(first.number()))
            .and(COUPON.STOCK_BACKEND.eq(StockBackend.REDIS.name()))
            .and(not(IS_ARCHIVED).or(COUPON.STOCK_REVISION.lt(COUPON.REVISION)))
            .orderBy(COUPON.PARTITION_ID.desc(), COUPON.COUPON_ID)
            .limit(max));
  }

  @Override
  public List<Coupon> unapplied(@Nullable CouponId after, int max) {
    return readable(dsl ->
        CouponRows.withCampaigns(dsl)
            .where(not(IS_DRAFT))
            .and(IS_BEHIND.or(COUPON.STOCK_FROZEN_AT.isNotNull()))
            .and(IS_BEHIND.or(COUPON.STOCK_FROZEN_AT.lt(freezeLimit())))
            .and(COUPON.COUPON_ID.gt(after == null ? "" : after.value()))
            .orderBy(COUPON.COUPON_ID)
            .limit(max));
  }

  private static Field<Instant> freezeLimit() {
    return field(
        "{0} - {1} * interval '1 second'",
        SQLDataType.INSTANT, DatabaseTime.NOW, inline(FREEZE_LIMIT.toSeconds()));
  }

  /**
   * Skips and reports rows that are no valid coupon, such as after a manual change: one such row
   * must not hide all other coupons.
   */
  private List<Coupon> readable(Function<DSLContext, ResultQuery<Record>> query) {
    return readable(query, CouponRows::fromRow);
  }

  private <T> List<T> readable(
      Function<DSLContext, ResultQuery<Record>> query, Function<Record, T> mapping) {
    var coupons = new ArrayList<T>();
    for (var row : database.read(dsl -> query.apply(dsl).fetch())) {
      try {
        coupons.add(mapping.apply(row));
      } catch (RuntimeException e) {
        observer.observe(new ConsistencyObservation.CouponUnreadable(row.get(COUPON.COUPON_ID), e));
      }
    }
    return coupons;
  }

  /** Tries the lock that the recording of a claim takes on the row of its partition. */
  @Override
  public Set<CouponId> lockedAmong(Set<CouponId> couponIds) {
    var ids = couponIds.stream().map(CouponId::value).toArray(String[]::new);
    var free =
        database.read(dsl ->
            dsl.resultQuery(
                    """
                    SELECT coupon.coupon_id FROM coupon JOIN stock_partition USING (partition_id)
                    WHERE coupon.coupon_id = ANY ({0})
                    FOR SHARE OF stock_partition SKIP LOCKED
                    """,
                    val(ids))
                .fetchSet(0, String.class));
    return couponIds.stream()
        .filter(couponId -> !free.contains(couponId.value()))
        .collect(toUnmodifiableSet());
  }

  @Override
  public boolean isApplied(CouponId couponId, int revision) {
    return database.read(dsl ->
        dsl.fetchExists(
            COUPON, COUPON.COUPON_ID.eq(couponId.value()).and(COUPON.STOCK_REVISION.ge(revision))));
  }

  /** Never lowers the revision, and never sets one above the coupon's own revision. */
  @Override
  public void noteApplied(CouponId couponId, int revision) {
    database.statement(dsl ->
        dsl.update(COUPON)
            .set(COUPON.STOCK_REVISION, greatest(COUPON.STOCK_REVISION, val(revision)))
            .setNull(COUPON.STOCK_FROZEN_AT)
            .where(COUPON.COUPON_ID.eq(couponId.value()))
            .and(COUPON.STOCK_REVISION.lt(revision).or(COUPON.STOCK_FROZEN_AT.lt(freezeLimit())))
            .and(COUPON.REVISION.ge(revision))
            .execute());
  }
}
