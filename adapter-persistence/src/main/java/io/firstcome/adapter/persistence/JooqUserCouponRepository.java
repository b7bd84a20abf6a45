package io.firstcome.adapter.persistence;

import static io.firstcome.adapter.persistence.generated.Tables.REDEMPTION;
import static io.firstcome.adapter.persistence.generated.Tables.USER_COUPON;
import static org.jooq.impl.DSL.count;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.select;

import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.SlotClaim;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.port.UserCouponRepository;
import io.firstcome.domain.usercoupon.AcceptedClaim;
import io.firstcome.domain.usercoupon.RecordOutcome;
import io.firstcome.domain.usercoupon.Redemption;
import io.firstcome.domain.usercoupon.RedemptionId;
import io.firstcome.domain.usercoupon.UserCoupon;
import io.firstcome.domain.usercoupon.UserCouponChange;
import io.firstcome.domain.usercoupon.UserCouponId;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** {@link UserCouponRepository} in PostgreSQL. */
final class JooqUserCouponRepository implements UserCouponRepository {

  private final Database database;

  JooqUserCouponRepository(Database database) {
    this.database = database;
  }

  @Override
  public List<RecordOutcome> record(List<AcceptedClaim> claims) {
    ClaimRecording.requireEachOwnerOnce(claims);
    if (claims.isEmpty()) {
      return List.of();
    }
    var partitions = claims.stream().map(AcceptedClaim::partition).distinct().toList();
    return database.transaction(
        dsl -> new ClaimRecording(dsl, Epochs.hold(dsl, partitions)).record(claims));
  }

  @Override
  public Optional<UserCoupon> find(CouponId couponId, UserId userId) {
    return database.statement(dsl ->
        UserCouponRows.select(
                dsl,
                USER_COUPON
                    .COUPON_ID
                    .eq(couponId.value())
                    .and(USER_COUPON.USER_ID.eq(userId.value())))
            .fetchOptional(UserCouponRows::fromRow));
  }

  @Override
  public Set<UserId> owners(CouponId couponId, Collection<UserId> users) {
    return users.isEmpty()
        ? Set.of()
        : database.statement(dsl ->
            dsl.select(USER_COUPON.USER_ID)
                .from(USER_COUPON)
                .where(USER_COUPON.COUPON_ID.eq(couponId.value()))
                .and(Columns.isOneOf(USER_COUPON.USER_ID, users))
                .fetchSet(row -> new UserId(row.value1())));
  }

  @Override
  public Optional<UserCoupon> find(UserCouponId id) {
    return database.statement(dsl ->
        UserCouponRows.select(dsl, USER_COUPON.USER_COUPON_ID.eq(id.toString()))
            .fetchOptional(UserCouponRows::fromRow));
  }

  @Override
  public Optional<Redemption> findRedemption(RedemptionId id) {
    return database.statement(dsl ->
        dsl.selectFrom(REDEMPTION)
            .where(REDEMPTION.USER_COUPON_ID.eq(id.userCouponId().toString()))
            .and(REDEMPTION.ORDER_ID.eq(id.orderId().value()))
            .fetchOptional(UserCouponRows::redemption));
  }

  @Override
  public boolean change(UserCouponChange change) {
    return database.transaction(dsl -> new ChangeRecording(dsl).record(change));
  }

  @Override
  public List<SlotClaim> holders(CouponId couponId, @Nullable Slot after, int max) {
    return database.statement(dsl ->
        dsl.select(USER_COUPON.USER_ID, USER_COUPON.SLOT)
            .from(USER_COUPON)
            .where(USER_COUPON.COUPON_ID.eq(couponId.value()))
            .and(USER_COUPON.LIVE)
            .and(USER_COUPON.SLOT.gt(after == null ? 0 : after.number()))
            .orderBy(USER_COUPON.SLOT)
            .limit(max)
            .fetch(row -> new SlotClaim(new UserId(row.value1()), new Slot(row.value2()))));
  }

  @Override
  public long duplicateUsers(CouponId couponId) {
    return database.statement(dsl ->
        (long)
            dsl.fetchCount(
                select(USER_COUPON.USER_ID)
                    .from(USER_COUPON)
                    .where(USER_COUPON.COUPON_ID.eq(couponId.value()))
                    .groupBy(USER_COUPON.USER_ID)
                    .having(count().gt(inline(1)))));
  }
}
