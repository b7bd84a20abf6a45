package io.firstcome.adapter.persistence.usercoupon;

import static io.firstcome.adapter.persistence.generated.Tables.COUPON;
import static io.firstcome.adapter.persistence.generated.Tables.REDEMPTION;
import static io.firstcome.adapter.persistence.generated.Tables.USER_COUPON;
import static org.jooq.impl.DSL.any;
import static org.jooq.impl.DSL.array;
import static org.jooq.impl.DSL.count;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.unnest;
import static org.jooq.impl.DSL.val;

import io.firstcome.adapter.persistence.epoch.Epochs;
import io.firstcome.adapter.persistence.recording.ClaimRecording;
import io.firstcome.adapter.persistence.recording.ClaimRecording.SkippedConflicts;
import io.firstcome.adapter.persistence.session.Columns;
import io.firstcome.adapter.persistence.session.Database;
import io.firstcome.adapter.persistence.session.PersistenceLimits;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.issuance.SlotOwner;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.observation.IssuanceObserver;
import io.firstcome.domain.port.UserCouponRepository;
import io.firstcome.domain.shop.OrderId;
import io.firstcome.domain.shop.ShopId;
import io.firstcome.domain.usercoupon.AcceptedClaim;
import io.firstcome.domain.usercoupon.CouponCode;
import io.firstcome.domain.usercoupon.RecordOutcome;
import io.firstcome.domain.usercoupon.RecordedRedemption;
import io.firstcome.domain.usercoupon.RedemptionId;
import io.firstcome.domain.usercoupon.UserCoupon;
import io.firstcome.domain.usercoupon.UserCouponChange;
import io.firstcome.domain.usercoupon.UserCouponCursor;
import io.firstcome.domain.usercoupon.UserCouponId;
import io.firstcome.domain.usercoupon.UserCouponState;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jspecify.annotations.Nullable;

/** {@link UserCouponRepository} in PostgreSQL. */
public final class JooqUserCouponRepository implements UserCouponRepository {

  private final Database database;
  private final PersistenceLimits limits;
  private final IssuanceObserver observer;

  public JooqUserCouponRepository(
      Database database, PersistenceLimits limits, IssuanceObserver observer) {
    this.database = database;
    this.limits = limits;
    this.observer = observer;
  }

  @Override
  public List<RecordOutcome> record(List<AcceptedClaim> claims) {
    ClaimRecording.requireEachOwnerOnce(claims);
    if (claims.isEmpty()) {
      return List.of();
    }
    var partitions = claims.stream().map(AcceptedClaim::partition).distinct().toList();
    Function<SkippedConflicts, Function<DSLContext, List<RecordOutcome>>> recording =
        skipped ->
            dsl ->
                new ClaimRecording(
                        dsl,
                        Epochs.hold(dsl, partitions, limits.shortLockWait()),
                        skipped,
                        observer)
                    .record(claims);
    return database.transaction(
        recording.apply(SkippedConflicts.WITH_SLOT), recording.apply(SkippedConflicts.ANY));
  }

  @Override
  public Optional<UserCoupon> find(CouponId couponId, UserId userId) {
    return database.read(dsl ->
        UserCouponRows.select(
                dsl, UserCouponRows.hasCoupon(couponId).and(USER_COUPON.USER_ID.eq(userId.value())))
            .fetchOptional(UserCouponRows::fromRow));
  }

  @Override
  public Map<CouponId, UserCoupon> findAll(UserId userId, Collection<CouponId> couponIds) {
    return couponIds.isEmpty()
        ? Map.of()
        : database.read(dsl ->
            UserCouponRows.select(
                    dsl,
                    USER_COUPON
                        .USER_ID
                        .eq(userId.value())
                        .and(USER_COUPON.COUPON_NUMBER.eq(any(numbersOf(couponIds)))))
                .fetch(UserCouponRows::fromRow)
                .stream()
                .collect(Collectors.toUnmodifiableMap(UserCoupon::couponId, row -> row)));
  }

  @Override
  public Map<UserId, UserCoupon> findAll(CouponId couponId, Collection<UserId> userIds) {
    var users = userIds.stream().map(UserId::value);
    return database.read(dsl ->
        UserCouponRows.select(
                dsl,
                UserCouponRows.hasCoupon(couponId).and(Columns.isOneOf(USER_COUPON.USER_ID, users)))
            .fetch(UserCouponRows::fromRow)
            .stream()
            .collect(Collectors.toUnmodifiableMap(UserCoupon::userId, row -> row)));
  }

  /** An array of single look-ups, so that no plan reads all coupons. */
  private static Field<Integer[]> numbersOf(Collection<CouponId> couponIds) {
    var ids = couponIds.stream().map(CouponId::value).toArray(String[]::new);
    var wanted = unnest(val(ids)).as("wanted", "coupon_id");
    var number =
        select(COUPON.COUPON_NUMBER)
            .from(COUPON)
            .where(COUPON.COUPON_ID.eq(field(name("wanted", "coupon_id"), String.class)));
    return array(select(field(number)).from(wanted));
  }

  @Override
  public Set<UserId> owners(CouponId couponId, Collection<UserId> users) {
    return users.isEmpty()
        ? Set.of()
        : database.read(dsl ->
            dsl.select(USER_COUPON.USER_ID)
                .from(USER_COUPON)
                .where(UserCouponRows.hasCoupon(couponId))
                .and(Columns.isOneOf(USER_COUPON.USER_ID, users))
                .fetchSet(row -> new UserId(row.value1())));
  }

  @Override
  public Optional<UserCoupon> find(UserCouponId id) {
    return database.read(dsl ->
        UserCouponRows.select(
                dsl, USER_COUPON.TAG.eq(id.tagBytes()).and(UserCouponRows.hasCoupon(id.couponId())))
            .fetchOptional(UserCouponRows::fromRow));
  }

  @Override
  public Optional<UserCoupon> find(CouponCode code) {
    return database.read(dsl ->
        UserCouponRows.select(
                dsl, USER_COUPON.TAG.eq(code.tagBytes()).and(USER_COUPON.CODE.eq(code.bytes())))
            .fetchOptional(UserCouponRows::fromRow));
  }

  @Override
  public List<UserCoupon> page(
      UserId owner,
      @Nullable UserCouponState state,
      Instant now,
      @Nullable UserCouponCursor after,
      int max) {
    return database.read(dsl -> new UserCouponsOfUser(dsl, owner).page(state, now, after, max));
  }

  @Override
  public List<UserCoupon> usableFirst(UserId owner, int max) {
    return database.read(dsl -> new UserCouponsOfUser(dsl, owner).usableFirst(max));
  }

  @Override
  public Optional<RecordedRedemption> findRedemption(RedemptionId id) {
    return database.read(dsl ->
        UserCouponRows.selectRedemptions(dsl, REDEMPTION.TAG.eq(id.userCouponId().tagBytes()))
            .and(REDEMPTION.ORDER_ID.eq(id.orderId().value()))
            .and(UserCouponRows.hasCoupon(id.userCouponId().couponId()))
            .fetchOptional(UserCouponRows::recordedRedemption));
  }

  @Override
  public List<RecordedRedemption> redemptions(ShopId shop, OrderId order, int max) {
    return database.read(dsl ->
        UserCouponRows.selectRedemptions(dsl, REDEMPTION.SHOP_ID.eq(shop.value()))
            .and(REDEMPTION.ORDER_ID.eq(order.value()))
            .orderBy(UserCouponRows.COUPON_ID, REDEMPTION.TAG)
            .limit(max)
            .fetch(UserCouponRows::recordedRedemption));
  }

  @Override
  public Set<UserCouponId> change(List<UserCouponChange> changes) {
    ChangeRecording.requireEachUserCouponOnce(changes);
    return changes.isEmpty()
        ? Set.of()
        : database.transaction(dsl -> new ChangeRecording(dsl).record(changes));
  }

  @Override
  public List<UserCoupon> overdue(Instant now, int max) {
    return database.read(
        dsl -> UserCouponRows.overdue(dsl, now, max).fetch(UserCouponRows::fromRow));
  }

  @Override
  public Map<UserCouponState, Long> countByState(CouponId couponId, Instant now) {
    return database.read(dsl -> StatesAt.countByState(dsl, couponId, now));
  }

  @Override
  public List<SlotOwner> slotOwners(CouponId couponId, @Nullable SlotOwner after, int max) {
    return database.read(dsl -> SlotOwnerRows.after(dsl, couponId, after, max));
  }

  @Override
  public long duplicateUsers(CouponId couponId) {
    return database.read(dsl ->
        (long)
            dsl.fetchCount(
                select(USER_COUPON.USER_ID)
                    .from(USER_COUPON)
                    .where(UserCouponRows.isOf(couponId))
                    .groupBy(USER_COUPON.USER_ID)
                    .having(count().gt(inline(1)))));
  }
}
