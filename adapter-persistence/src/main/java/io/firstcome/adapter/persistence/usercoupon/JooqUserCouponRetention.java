package io.firstcome.adapter.persistence.usercoupon;

import static io.firstcome.adapter.persistence.generated.Tables.CAMPAIGN;
import static io.firstcome.adapter.persistence.generated.Tables.COUPON;
import static io.firstcome.adapter.persistence.generated.Tables.DEAD_LETTER;
import static io.firstcome.adapter.persistence.generated.Tables.EVENT_OUTBOX;
import static io.firstcome.adapter.persistence.generated.Tables.LATE_CLAIM;
import static io.firstcome.adapter.persistence.generated.Tables.REDEMPTION;
import static io.firstcome.adapter.persistence.generated.Tables.REJECTED_CLAIM;
import static io.firstcome.adapter.persistence.generated.Tables.USER_COUPON;
import static java.util.stream.Collectors.groupingBy;
import static org.jooq.impl.DSL.any;
import static org.jooq.impl.DSL.greatest;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.not;
import static org.jooq.impl.DSL.row;
import static org.jooq.impl.DSL.selectOne;

import io.firstcome.adapter.persistence.audit.AuditRows;
import io.firstcome.adapter.persistence.coupon.CouponRows;
import io.firstcome.adapter.persistence.epoch.Epochs;
import io.firstcome.adapter.persistence.generated.tables.records.CouponRecord;
import io.firstcome.adapter.persistence.session.Columns;
import io.firstcome.adapter.persistence.session.Database;
import io.firstcome.adapter.persistence.session.DatabaseTime;
import io.firstcome.domain.audit.AuditEntry;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.CouponStatus;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.issuance.SlotOwner;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.port.RetentionExport;
import io.firstcome.domain.port.UserCouponRetention;
import io.firstcome.domain.retention.ExportPart;
import io.firstcome.domain.retention.ExportedUserCoupon;
import io.firstcome.domain.retention.RejectedClaim;
import io.firstcome.domain.retention.RemovalStep;
import io.firstcome.domain.usercoupon.RecordedRedemption;
import io.firstcome.domain.usercoupon.UserCoupon;
import io.firstcome.domain.usercoupon.UserCouponId;
import io.firstcome.domain.usercoupon.UserCouponState;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;

/** {@link UserCouponRetention} in PostgreSQL. */
public final class JooqUserCouponRetention implements UserCouponRetention {

  /** The predicate of the index {@code coupon_with_rows_of_the_past}. */
  private static final Condition HAS_ROWS_OF_THE_PAST =
      COUPON.STATUS.eq(inline(CouponStatus.ARCHIVED.name())).and(COUPON.REMOVAL_ENDED_AT.isNull());

  private static final Condition IS_UNEXPIRED =
      USER_COUPON.STATE.in(
          inline(UserCouponState.ISSUED.name()), inline(UserCouponState.HELD.name()));

  private final Database database;

  public JooqUserCouponRetention(Database database) {
    this.database = database;
  }

  @Override
  public List<CouponId> due(Instant endedBy, @Nullable CouponId after, int max) {
    return database.read(dsl ->
        dsl.select(COUPON.COUPON_ID)
            .from(COUPON)
            .where(isDue(endedBy))
            .and(COUPON.COUPON_ID.gt(after == null ? "" : after.value()))
            .orderBy(COUPON.COUPON_ID)
            .limit(max)
            .fetch(found -> new CouponId(found.value1())));
  }

  /** The stock of the coupon is removed, and the retention is over. */
  private static Condition isDue(Instant endedBy) {
    return HAS_ROWS_OF_THE_PAST
        .and(COUPON.STOCK_REVISION.eq(COUPON.REVISION))
        .and(greatest(COUPON.CHANGED_AT, CouponRows.validityEnd()).le(endedBy));
  }

  /**
   * Takes the lock that a transaction with claims of the partition shares: those that insert rows
   * of this coupon end first, and later ones read that the removal has begun.
   */
  @Override
  public boolean begin(CouponId couponId, Instant endedBy) {
    return database.transaction(transaction -> {
      var coupon =
          transaction
              .selectFrom(COUPON)
              .where(COUPON.COUPON_ID.eq(couponId.value()))
              .and(isDue(endedBy))
              .fetchOptional();
      if (coupon.isEmpty()) {
        return false;
      }
      if (coupon.get().getRemovalBegunAt() != null) {
        return true;
      }
      Epochs.waitForHolders(transaction, new Partition(coupon.get().getPartitionId()));
      return !areRowsNeeded(transaction, coupon.get())
          && transaction
                  .update(COUPON)
                  .set(COUPON.REMOVAL_BEGUN_AT, DatabaseTime.NOW)
                  .where(COUPON.COUPON_ID.eq(couponId.value()))
                  .and(COUPON.REVISION.eq(coupon.get().getRevision()))
                  .and(COUPON.REMOVAL_BEGUN_AT.isNull())
                  .execute()
              == 1;
    });
  }

  private static boolean areRowsNeeded(DSLContext transaction, CouponRecord coupon) {
    var id = coupon.getCouponId();
    var isOfCoupon = USER_COUPON.COUPON_NUMBER.eq(coupon.getCouponNumber());
    // All of them are expired, so they are at the beginning of the index of unexpired ones.
    var hasUnexpired =
        isOfCoupon.and(IS_UNEXPIRED).and(USER_COUPON.EXPIRES_AT.le(DatabaseTime.NOW));
    return isCampaignOpen(transaction, coupon.getCampaignId())
        || transaction.fetchExists(LATE_CLAIM, LATE_CLAIM.COUPON_ID.eq(id))
        || transaction.fetchExists(DEAD_LETTER, DEAD_LETTER.COUPON_ID.eq(id))
        || transaction.fetchExists(USER_COUPON, isOfCoupon.and(JooqSlotReturns.PENDING))
        || transaction.fetchExists(USER_COUPON, hasUnexpired)
        || transaction.fetchExists(EVENT_OUTBOX, EVENT_OUTBOX.COUPON_ID.eq(id));
  }

  /** The limit of the campaign counts the rows of all its coupons. */
  private static boolean isCampaignOpen(DSLContext transaction, @Nullable String campaignId) {
    return campaignId != null
        && transaction.fetchExists(
            selectOne()
                .from(CAMPAIGN)
                .join(COUPON)
                .on(COUPON.COUPON_ID.eq(any(CAMPAIGN.COUPON_IDS)))
                .where(CAMPAIGN.CAMPAIGN_ID.eq(campaignId))
                .and(COUPON.CAMPAIGN_ID.eq(campaignId))
                .and(COUPON.STATUS.ne(inline(CouponStatus.ARCHIVED.name()))));
  }

  @Override
  public RemovalStep removeNext(
      CouponId couponId, @Nullable SlotOwner after, int max, RetentionExport export) {
    return database.transaction(
        transaction -> new Step(transaction, couponId, max, export).run(after));
  }

  /** One step in its transaction, which locks the coupon's row. */
  private record Step(DSLContext dsl, CouponId couponId, int max, RetentionExport export) {

    RemovalStep run(@Nullable SlotOwner after) {
      var coupon =
          dsl.selectFrom(COUPON)
              .where(COUPON.COUPON_ID.eq(couponId.value()))
              .and(HAS_ROWS_OF_THE_PAST)
              .and(COUPON.REMOVAL_BEGUN_AT.isNotNull())
              .forNoKeyUpdate()
              .skipLocked()
              .fetchOptional();
      if (coupon.isEmpty()) {
        return new RemovalStep.Elsewhere();
      }
      var userCoupons = userCoupons(coupon.get().getCouponNumber(), after);
      if (!userCoupons.stream().allMatch(Step::isFinal)) {
        return new RemovalStep.NotFinal();
      }
      if (!userCoupons.isEmpty()) {
        remove(userCoupons);
        return new RemovalStep.Removed(userCoupons.size(), owner(userCoupons.getLast()));
      }
      var rejected = rejected();
      if (!rejected.isEmpty()) {
        removeRejected(rejected);
        return new RemovalStep.Removed(rejected.size(), after);
      }
      end(coupon.get());
      return new RemovalStep.Ended();
    }

    /** The next ones that are live, or if there are none, the next ones that are not. */
    private List<UserCoupon> userCoupons(int couponNumber, @Nullable SlotOwner after) {
      if (after == null || after.live()) {
        var live = userCoupons(couponNumber, UserCouponRows.LIVE, after);
        return live.isEmpty() ? userCoupons(couponNumber, not(UserCouponRows.LIVE), null) : live;
      }
      return userCoupons(couponNumber, not(UserCouponRows.LIVE), after);
    }

    /** Starts after the removed rows, whose index entries stay until the next vacuum. */
    private List<UserCoupon> userCoupons(
        int couponNumber, Condition kind, @Nullable SlotOwner after) {
      int slot = after == null ? 0 : after.slot().number();
      int generation = after == null ? 0 : after.generation();
      return UserCouponRows.select(
              dsl,
              USER_COUPON
                  .COUPON_NUMBER
                  .eq(couponNumber)
                  .and(kind)
                  .and(row(USER_COUPON.SLOT, USER_COUPON.GENERATION).gt(slot, generation)))
          .orderBy(USER_COUPON.SLOT, USER_COUPON.GENERATION)
          .limit(max)
          .forUpdate()
          .of(USER_COUPON)
          .fetch(UserCouponRows::fromRow);
    }

    private static boolean isFinal(UserCoupon userCoupon) {
      return switch (userCoupon) {
        case UserCoupon.Issued _, UserCoupon.Held _ -> false;
        case UserCoupon.Used _, UserCoupon.Expired _, UserCoupon.Returned _, UserCoupon.Revoked _ ->
            true;
      };
    }

    private static SlotOwner owner(UserCoupon userCoupon) {
      var ownership = userCoupon.ownership();
      return new SlotOwner(
          userCoupon.userId(),
          ownership.slot(),
          ownership.generation(),
          !userCoupon.slotWentBack());
    }

    private void remove(List<UserCoupon> userCoupons) {
      var ids = userCoupons.stream().map(UserCoupon::id).toList();
      var tags = any(Columns.column(ids, SQLDataType.BLOB, byte[][]::new, UserCouponId::tagBytes));
      var redemptions =
          UserCouponRows.selectRedemptions(dsl, REDEMPTION.TAG.eq(tags))
              .orderBy(REDEMPTION.TAG, REDEMPTION.ORDER_ID)
              .fetch(UserCouponRows::recordedRedemption)
              .stream()
              .collect(groupingBy(redemption -> redemption.id().userCouponId()));
      var audit =
          AuditRows.ofUserCoupons(dsl, ids).stream()
              .collect(groupingBy(kept -> Objects.requireNonNull(kept.entry().userCouponId())));
      export.store(new ExportPart.UserCoupons(couponId, exported(userCoupons, redemptions, audit)));
      dsl.deleteFrom(REDEMPTION).where(REDEMPTION.TAG.eq(tags)).execute();
      AuditRows.remove(dsl, ids);
      int removed = dsl.deleteFrom(USER_COUPON).where(USER_COUPON.TAG.eq(tags)).execute();
      dsl.update(COUPON)
          .set(COUPON.REMOVED_USER_COUPONS, COUPON.REMOVED_USER_COUPONS.plus(removed))
          .where(COUPON.COUPON_ID.eq(couponId.value()))
          .execute();
    }

    private static List<ExportedUserCoupon> exported(
        List<UserCoupon> userCoupons,
        Map<UserCouponId, List<RecordedRedemption>> redemptions,
        Map<UserCouponId, List<AuditEntry.Kept>> audit) {
      return userCoupons.stream()
          .map(userCoupon ->
              new ExportedUserCoupon(
                  userCoupon,
                  redemptions.getOrDefault(userCoupon.id(), List.of()),
                  audit.getOrDefault(userCoupon.id(), List.of())))
          .toList();
    }

    private List<RejectedClaim> rejected() {
      return dsl.select(REJECTED_CLAIM.USER_ID, REJECTED_CLAIM.REJECTED_AT)
          .from(REJECTED_CLAIM)
          .where(REJECTED_CLAIM.COUPON_ID.eq(couponId.value()))
          .orderBy(REJECTED_CLAIM.USER_ID)
          .limit(max)
          .fetch(found -> new RejectedClaim(new UserId(found.value1()), found.value2()));
    }

    private void removeRejected(List<RejectedClaim> rejected) {
      export.store(new ExportPart.RejectedClaims(couponId, rejected));
      var users = rejected.stream().map(RejectedClaim::userId).toList();
      dsl.deleteFrom(REJECTED_CLAIM)
          .where(REJECTED_CLAIM.COUPON_ID.eq(couponId.value()))
          .and(Columns.isOneOf(REJECTED_CLAIM.USER_ID, users))
          .execute();
    }

    private void end(CouponRecord coupon) {
      dsl.update(COUPON)
          .set(COUPON.REMOVAL_ENDED_AT, DatabaseTime.NOW)
          .where(COUPON.COUPON_ID.eq(couponId.value()))
          .execute();
      var now = dsl.select(DatabaseTime.NOW).fetchSingle().value1();
      AuditRows.add(
          dsl, List.of(AuditEntry.ofRemoval(couponId, coupon.getRemovedUserCoupons(), now)));
    }
  }
}
