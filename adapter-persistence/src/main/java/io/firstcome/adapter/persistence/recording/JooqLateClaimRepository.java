package io.firstcome.adapter.persistence.recording;

import static io.firstcome.adapter.persistence.generated.Tables.COUPON;
import static io.firstcome.adapter.persistence.generated.Tables.LATE_CLAIM;
import static io.firstcome.adapter.persistence.generated.Tables.REJECTED_CLAIM;
import static java.util.stream.Collectors.toUnmodifiableSet;
import static org.jooq.impl.DSL.min;
import static org.jooq.impl.DSL.noCondition;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.selectOne;
import static org.jooq.impl.DSL.val;

import io.firstcome.adapter.persistence.session.Columns;
import io.firstcome.adapter.persistence.session.Database;
import io.firstcome.adapter.persistence.session.DatabaseErrors;
import io.firstcome.adapter.persistence.session.PersistenceLimits;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.handoff.LateClaim;
import io.firstcome.domain.handoff.LateClaimSettlement;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.observation.IssuanceObserver;
import io.firstcome.domain.port.LateClaimRepository;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jspecify.annotations.Nullable;

/** {@link LateClaimRepository} in PostgreSQL. */
public final class JooqLateClaimRepository implements LateClaimRepository {

  private final Database database;
  private final PersistenceLimits limits;
  private final IssuanceObserver observer;

  public JooqLateClaimRepository(
      Database database, PersistenceLimits limits, IssuanceObserver observer) {
    this.database = database;
    this.limits = limits;
    this.observer = observer;
  }

  @Override
  public void add(List<LateClaim> claims) {
    database.transaction(dsl -> {
      requireCoupons(dsl, claims);
      LateClaimRows.keep(dsl, claims);
      return claims.size();
    });
  }

  /** Checks by a query: a foreign key would wait for a lock on the coupon's row. */
  private static void requireCoupons(DSLContext dsl, List<LateClaim> claims) {
    var coupons =
        claims.stream().map(LateClaim::couponId).map(CouponId::value).collect(toUnmodifiableSet());
    if (dsl.fetchCount(COUPON, COUPON.COUPON_ID.in(coupons)) < coupons.size()) {
      throw DatabaseErrors.unrecordable("a late claim is of a coupon that does not exist");
    }
  }

  @Override
  public List<LateClaim> next(Partition partition, @Nullable CouponId after, int max) {
    var ofPartition = LATE_CLAIM.PARTITION_ID.eq(partition.number());
    var behind = after == null ? noCondition() : LATE_CLAIM.COUPON_ID.gt(after.value());
    return database.read(dsl ->
        dsl.selectFrom(LATE_CLAIM)
            .where(ofPartition)
            .and(
                LATE_CLAIM.COUPON_ID.eq(
                    select(min(LATE_CLAIM.COUPON_ID))
                        .from(LATE_CLAIM)
                        .where(ofPartition)
                        .and(behind)))
            .orderBy(LATE_CLAIM.PROMISED_SLOT, LATE_CLAIM.USER_ID)
            .limit(max)
            .fetch(LateClaimRows::fromRow));
  }

  @Override
  public int count(int max) {
    return database.read(dsl -> dsl.fetchCount(selectOne().from(LATE_CLAIM).limit(max)));
  }

  @Override
  public Optional<Partition> highestPartition() {
    return database.read(dsl ->
        dsl.select(LATE_CLAIM.PARTITION_ID)
            .from(LATE_CLAIM)
            .orderBy(LATE_CLAIM.PARTITION_ID.desc())
            .limit(1)
            .fetchOptional(row -> new Partition(row.value1())));
  }

  @Override
  public List<LateClaim> page(CouponId couponId, @Nullable UserId after, int max) {
    return database.read(dsl ->
        dsl.selectFrom(LATE_CLAIM)
            .where(LATE_CLAIM.COUPON_ID.eq(couponId.value()))
            .and(isAfter(LATE_CLAIM.USER_ID, after))
            .orderBy(LATE_CLAIM.USER_ID)
            .limit(max)
            .fetch(LateClaimRows::fromRow));
  }

  @Override
  public Map<UserId, LateClaim> waiting(CouponId couponId, Collection<UserId> users) {
    var waiting = new TreeMap<UserId, LateClaim>();
    if (users.isEmpty()) {
      return waiting;
    }
    database
        .read(dsl ->
            dsl.selectFrom(LATE_CLAIM)
                .where(LATE_CLAIM.COUPON_ID.eq(couponId.value()))
                .and(Columns.isOneOf(LATE_CLAIM.USER_ID, users))
                .fetch(LateClaimRows::fromRow))
        .forEach(claim -> waiting.put(claim.userId(), claim));
    return waiting;
  }

  @Override
  public Set<UserId> settle(LateClaimSettlement settlement) {
    var recording = new SettlementRecording(settlement);
    return database.transaction(dsl -> recording.apply(dsl, limits.shortLockWait(), observer));
  }

  @Override
  public Map<CouponId, LateClaim> waiting(UserId user, Collection<CouponId> couponIds) {
    return couponIds.isEmpty()
        ? Map.of()
        : database.read(dsl ->
            dsl
                .selectFrom(LATE_CLAIM)
                .where(
                    Columns.isOneOf(LATE_CLAIM.COUPON_ID, couponIds.stream().map(CouponId::value)))
                .and(LATE_CLAIM.USER_ID.eq(user.value()))
                .fetch(LateClaimRows::fromRow)
                .stream()
                .collect(Collectors.toUnmodifiableMap(LateClaim::couponId, claim -> claim)));
  }

  @Override
  public Set<CouponId> rejected(UserId user, Collection<CouponId> couponIds) {
    return couponIds.isEmpty()
        ? Set.of()
        : database.read(dsl ->
            dsl.select(REJECTED_CLAIM.COUPON_ID)
                .from(REJECTED_CLAIM)
                .where(
                    Columns.isOneOf(
                        REJECTED_CLAIM.COUPON_ID, couponIds.stream().map(CouponId::value)))
                .and(REJECTED_CLAIM.USER_ID.eq(user.value()))
                .fetchSet(row -> new CouponId(row.value1())));
  }

  @Override
  public boolean isRejected(CouponId couponId, UserId userId) {
    return database.read(dsl ->
        dsl.fetchExists(
            REJECTED_CLAIM,
            REJECTED_CLAIM
                .COUPON_ID
                .eq(couponId.value())
                .and(REJECTED_CLAIM.USER_ID.eq(userId.value()))));
  }

  @Override
  public List<UserId> rejected(CouponId couponId, @Nullable UserId after, int max) {
    return database.read(dsl ->
        dsl.select(REJECTED_CLAIM.USER_ID)
            .from(REJECTED_CLAIM)
            .where(REJECTED_CLAIM.COUPON_ID.eq(couponId.value()))
            .and(isAfter(REJECTED_CLAIM.USER_ID, after))
            .orderBy(REJECTED_CLAIM.USER_ID)
            .limit(max)
            .fetch(row -> new UserId(row.value1())));
  }

  private static Condition isAfter(Field<String> userId, @Nullable UserId after) {
    return after == null ? noCondition() : userId.gt(val(after.value()));
  }
}
