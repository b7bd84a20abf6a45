package io.firstcome.adapter.persistence.usercoupon;

import static io.firstcome.adapter.persistence.generated.Tables.CAMPAIGN;
import static io.firstcome.adapter.persistence.generated.Tables.COUPON;
import static io.firstcome.adapter.persistence.generated.Tables.DEAD_LETTER;
import static io.firstcome.adapter.persistence.generated.Tables.ERASURE;
import static io.firstcome.adapter.persistence.generated.Tables.EVENT_OUTBOX;
import static io.firstcome.adapter.persistence.generated.Tables.LATE_CLAIM;
import static io.firstcome.adapter.persistence.generated.Tables.REJECTED_CLAIM;
import static io.firstcome.adapter.persistence.generated.Tables.USER_COUPON;
import static org.jooq.impl.DSL.any;
import static org.jooq.impl.DSL.condition;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.not;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.val;

import io.firstcome.adapter.persistence.audit.AuditRows;
import io.firstcome.adapter.persistence.epoch.Epochs;
import io.firstcome.adapter.persistence.generated.tables.records.CouponRecord;
import io.firstcome.adapter.persistence.generated.tables.records.ErasureRecord;
import io.firstcome.adapter.persistence.generated.tables.records.UserCouponRecord;
import io.firstcome.adapter.persistence.session.Columns;
import io.firstcome.adapter.persistence.session.Database;
import io.firstcome.adapter.persistence.session.PersistenceLimits;
import io.firstcome.adapter.persistence.webhook.WebhookRows;
import io.firstcome.domain.audit.AuditEntry;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.CouponStatus;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.erasure.Erasure;
import io.firstcome.domain.erasure.Erasure.Obstacle;
import io.firstcome.domain.erasure.ErasureId;
import io.firstcome.domain.handoff.DeadLetter.Content;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.port.UserErasures;
import io.firstcome.domain.usercoupon.Actor;
import io.firstcome.domain.usercoupon.UserCouponId;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jspecify.annotations.Nullable;

/** {@link UserErasures} in PostgreSQL. */
public final class JooqUserErasures implements UserErasures {

  private final Database database;
  private final PersistenceLimits limits;

  public JooqUserErasures(Database database, PersistenceLimits limits) {
    this.database = database;
    this.limits = limits;
  }

  @Override
  public Erasure request(UserId user, Actor operator, Instant at) {
    return database.transaction(dsl -> {
      var request = Optional.<Erasure>empty();
      while (request.isEmpty()) {
        // A pending one that is found by the first statement may have ended before the second one.
        request = add(dsl, user, operator, at).or(() -> pending(dsl, user));
      }
      return request.get();
    });
  }

  private static Optional<Erasure> add(DSLContext dsl, UserId user, Actor operator, Instant at) {
    var added =
        dsl.insertInto(ERASURE, ERASURE.USER_ID, ERASURE.REQUESTED_AT)
            .values(user.value(), at)
            .onConflictDoNothing()
            .returning()
            .fetchOptional(JooqUserErasures::fromRow);
    added.ifPresent(erasure ->
        AuditRows.add(dsl, List.of(AuditEntry.ofErasureRequest(erasure.id(), operator, at))));
    return added;
  }

  private static Optional<Erasure> pending(DSLContext dsl, UserId user) {
    return dsl.selectFrom(ERASURE)
        .where(ERASURE.USER_ID.eq(user.value()))
        .fetchOptional(JooqUserErasures::fromRow);
  }

  private static Erasure fromRow(ErasureRecord row) {
    var user = row.getUserId();
    var obstacle = row.getObstacle();
    return new Erasure(
        new ErasureId(row.getErasureId()),
        user == null ? null : new UserId(user),
        row.getRequestedAt(),
        obstacle == null ? null : Obstacle.valueOf(obstacle),
        row.getUserCoupons(),
        row.getEndedAt());
  }

  @Override
  public Optional<Erasure> find(ErasureId id) {
    return database.read(dsl ->
        dsl.selectFrom(ERASURE)
            .where(ERASURE.ERASURE_ID.eq(id.number()))
            .fetchOptional(JooqUserErasures::fromRow));
  }

  @Override
  public List<Erasure> pending(@Nullable ErasureId after, int max) {
    return database.read(dsl ->
        dsl.selectFrom(ERASURE)
            .where(ERASURE.ENDED_AT.isNull())
            .and(ERASURE.ERASURE_ID.gt(after == null ? 0 : after.number()))
            .orderBy(ERASURE.ERASURE_ID)
            .limit(max)
            .fetch(JooqUserErasures::fromRow));
  }

  @Override
  public void noteObstacle(ErasureId id, Obstacle obstacle) {
    database.transaction(dsl ->
        dsl.update(ERASURE)
            .set(ERASURE.OBSTACLE, obstacle.name())
            .where(ERASURE.ERASURE_ID.eq(id.number()))
            .and(ERASURE.ENDED_AT.isNull())
            .execute());
  }

  @Override
  public Optional<Obstacle> unrecorded(UserId user) {
    return database.read(dsl -> unrecorded(dsl, user));
  }

  private static Optional<Obstacle> unrecorded(DSLContext dsl, UserId user) {
    if (dsl.fetchExists(LATE_CLAIM, LATE_CLAIM.USER_ID.eq(user.value()))) {
      return Optional.of(Obstacle.LATE_CLAIM);
    }
    return dsl.fetchExists(DEAD_LETTER, DEAD_LETTER.USER_IDS.contains(new String[] {user.value()}))
            || dsl.fetchExists(DEAD_LETTER, isUnreadableWith(user))
        ? Optional.of(Obstacle.DEAD_LETTER)
        : Optional.empty();
  }

  private static Condition isUnreadableWith(UserId user) {
    var text = val(Content.Unreadable.nameOf(user).getBytes(StandardCharsets.US_ASCII));
    return DEAD_LETTER
        .BODY
        .isNotNull()
        .and(condition("position({0} in {1}) > 0", text, DEAD_LETTER.BODY));
  }

  @Override
  public List<CouponId> coupons(UserId user, @Nullable CouponId after, int max) {
    // Not a join, for which all coupons could be read.
    var couponOfRow =
        field(
            select(COUPON.COUPON_ID)
                .from(COUPON)
                .where(COUPON.COUPON_NUMBER.eq(USER_COUPON.COUPON_NUMBER)));
    var ofRows =
        select(couponOfRow.as(COUPON.COUPON_ID))
            .from(USER_COUPON)
            .where(USER_COUPON.USER_ID.eq(user.value()));
    var ofRejections =
        select(REJECTED_CLAIM.COUPON_ID)
            .from(REJECTED_CLAIM)
            .where(REJECTED_CLAIM.USER_ID.eq(user.value()));
    var all = ofRows.union(ofRejections).asTable("of_user");
    var id = field(name("of_user", COUPON.COUPON_ID.getName()), COUPON.COUPON_ID.getDataType());
    return database.read(dsl ->
        dsl.select(id)
            .from(all)
            .where(id.gt(after == null ? "" : after.value()))
            .orderBy(id)
            .limit(max)
            .fetch(row -> new CouponId(row.value1())));
  }

  @Override
  public Optional<Obstacle> erase(
      ErasureId id,
      CouponId couponId,
      UserId pseudonym,
      boolean eventsArePublished,
      Runnable inStock) {
    return database.transaction(
        dsl -> new Step(dsl, id, couponId, pseudonym, eventsArePublished).run(inStock, limits));
  }

  @Override
  public boolean end(ErasureId id, Instant at) {
    return database.transaction(dsl -> {
      var erasure =
          dsl.selectFrom(ERASURE)
              .where(ERASURE.ERASURE_ID.eq(id.number()))
              .and(ERASURE.ENDED_AT.isNull())
              .forUpdate()
              .fetchOptional();
      if (erasure.isEmpty() || isNamed(dsl, new UserId(erasure.get().getUserId()))) {
        return false;
      }
      dsl.update(ERASURE)
          .setNull(ERASURE.USER_ID)
          .setNull(ERASURE.OBSTACLE)
          .set(ERASURE.ENDED_AT, at)
          .where(ERASURE.ERASURE_ID.eq(id.number()))
          .execute();
      AuditRows.add(dsl, List.of(AuditEntry.ofErasure(id, erasure.get().getUserCoupons(), at)));
      return true;
    });
  }

  private static boolean isNamed(DSLContext dsl, UserId user) {
    return unrecorded(dsl, user).isPresent()
        || dsl.fetchExists(USER_COUPON, USER_COUPON.USER_ID.eq(user.value()))
        || dsl.fetchExists(REJECTED_CLAIM, REJECTED_CLAIM.USER_ID.eq(user.value()));
  }

  /** The erasure of a user from one coupon, in its transaction. */
  private record Step(
      DSLContext dsl,
      ErasureId id,
      CouponId couponId,
      UserId pseudonym,
      boolean eventsArePublished) {

    /**
     * Shares the lock of the partition's epoch: a recovery would read the row of the user and write
     * the ledger by it after the stock was changed.
     */
    Optional<Obstacle> run(Runnable inStock, PersistenceLimits limits) {
      var user =
          dsl.select(ERASURE.USER_ID)
              .from(ERASURE)
              .where(ERASURE.ERASURE_ID.eq(id.number()))
              .and(ERASURE.ENDED_AT.isNull())
              .fetchOptional(row -> new UserId(row.value1()));
      var coupon =
          dsl.selectFrom(COUPON).where(COUPON.COUPON_ID.eq(couponId.value())).fetchOptional();
      if (user.isEmpty() || coupon.isEmpty()) {
        return Optional.empty();
      }
      Epochs.hold(
          dsl, Set.of(new Partition(coupon.get().getPartitionId())), limits.shortLockWait());
      compareWithPseudonyms(isAffected(coupon.get()));
      return erase(user.get(), coupon.get(), inStock);
    }

    /** The coupon, or all coupons of its campaign, whose row is locked. */
    private Condition isAffected(CouponRecord coupon) {
      var campaignId = coupon.getCampaignId();
      if (campaignId == null) {
        return COUPON.COUPON_ID.eq(couponId.value());
      }
      var couponIds =
          dsl.select(CAMPAIGN.COUPON_IDS)
              .from(CAMPAIGN)
              .where(CAMPAIGN.CAMPAIGN_ID.eq(campaignId))
              .forNoKeyUpdate()
              .fetchSingle(CAMPAIGN.COUPON_IDS);
      return Columns.isOneOf(COUPON.COUPON_ID, Arrays.stream(couponIds))
          .and(COUPON.CAMPAIGN_ID.eq(campaignId));
    }

    /**
     * Waits for claims that lock the rows of the coupons, and for which they are the stock. The row
     * of a draft is locked by every attempt: if it was published while the stock of this coupon is
     * changed, its stock would be created without knowing of that.
     */
    private void compareWithPseudonyms(Condition together) {
      var isDraft = COUPON.STATUS.eq(inline(CouponStatus.DRAFT.name()));
      dsl.update(COUPON)
          .set(COUPON.HAS_ERASED_USERS, true)
          .where(together)
          .and(not(condition(COUPON.HAS_ERASED_USERS)).or(isDraft))
          .execute();
    }

    private Optional<Obstacle> erase(UserId user, CouponRecord coupon, Runnable inStock) {
      var row =
          dsl.selectFrom(USER_COUPON)
              .where(USER_COUPON.USER_ID.eq(user.value()))
              .and(USER_COUPON.COUPON_NUMBER.eq(coupon.getCouponNumber()))
              .forUpdate()
              .fetchOptional();
      var obstacle = row.flatMap(found -> obstacle(user, found));
      if (obstacle.isPresent()) {
        return obstacle;
      }
      inStock.run();
      row.ifPresent(found -> eraseRow(user, found));
      dsl.update(REJECTED_CLAIM)
          .set(REJECTED_CLAIM.USER_ID, pseudonym.value())
          .where(REJECTED_CLAIM.USER_ID.eq(user.value()))
          .and(REJECTED_CLAIM.COUPON_ID.eq(couponId.value()))
          .execute();
      return Optional.empty();
    }

    private Optional<Obstacle> obstacle(UserId user, UserCouponRecord row) {
      if (!row.getLive() && !row.getSlotReleased()) {
        return Optional.of(Obstacle.SLOT_RELEASE);
      }
      // First the outbox: an event that is handed over meanwhile is found among the deliveries.
      return isInOutbox(row) || WebhookRows.isNamed(dsl, userCouponId(row), user)
          ? Optional.of(Obstacle.EVENTS)
          : Optional.empty();
    }

    /** Whether an event of the row is to be published or handed over to webhooks. */
    private boolean isInOutbox(UserCouponRecord row) {
      if (!eventsArePublished && !WebhookRows.isAnyEnabled(dsl)) {
        return false;
      }
      var isOfRow =
          EVENT_OUTBOX
              .USER_COUPON_ID
              .eq(userCouponId(row).toString())
              .or(
                  val(row.getSlot())
                      .eq(any(EVENT_OUTBOX.SLOTS))
                      .and(EVENT_OUTBOX.GENERATION.eq(row.getGeneration())));
      return dsl.fetchExists(
          EVENT_OUTBOX, EVENT_OUTBOX.COUPON_ID.eq(couponId.value()).and(isOfRow));
    }

    private UserCouponId userCouponId(UserCouponRecord row) {
      return UserCouponId.ofTag(couponId, row.getTag());
    }

    private void eraseRow(UserId user, UserCouponRecord row) {
      dsl.update(USER_COUPON)
          .set(USER_COUPON.USER_ID, pseudonym.value())
          .set(USER_COUPON.REVISION, USER_COUPON.REVISION.plus(1))
          .where(USER_COUPON.TAG.eq(row.getTag()))
          .execute();
      AuditRows.erase(dsl, userCouponId(row), user, pseudonym);
      dsl.update(EVENT_OUTBOX)
          .set(EVENT_OUTBOX.USER_ID, pseudonym.value())
          .where(EVENT_OUTBOX.COUPON_ID.eq(couponId.value()))
          .and(EVENT_OUTBOX.USER_COUPON_ID.eq(userCouponId(row).toString()))
          .execute();
      dsl.update(ERASURE)
          .set(ERASURE.USER_COUPONS, ERASURE.USER_COUPONS.plus(1))
          .where(ERASURE.ERASURE_ID.eq(id.number()))
          .execute();
    }
  }
}
