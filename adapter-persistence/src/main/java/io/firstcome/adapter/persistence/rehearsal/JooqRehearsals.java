package io.firstcome.adapter.persistence.rehearsal;

import static io.firstcome.adapter.persistence.generated.Tables.CLAIM_COUNT;
import static io.firstcome.adapter.persistence.generated.Tables.COUPON;
import static io.firstcome.adapter.persistence.generated.Tables.DEAD_LETTER;
import static io.firstcome.adapter.persistence.generated.Tables.EVENT_OUTBOX;
import static io.firstcome.adapter.persistence.generated.Tables.LATE_CLAIM;
import static io.firstcome.adapter.persistence.generated.Tables.REDEMPTION;
import static io.firstcome.adapter.persistence.generated.Tables.REHEARSAL;
import static io.firstcome.adapter.persistence.generated.Tables.REJECTED_CLAIM;
import static io.firstcome.adapter.persistence.generated.Tables.USER_COUPON;
import static org.jooq.impl.DSL.any;
import static org.jooq.impl.DSL.condition;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.not;
import static org.jooq.impl.DSL.val;

import io.firstcome.adapter.persistence.audit.AuditRows;
import io.firstcome.adapter.persistence.epoch.Epochs;
import io.firstcome.adapter.persistence.generated.tables.records.CouponRecord;
import io.firstcome.adapter.persistence.session.Database;
import io.firstcome.adapter.persistence.session.DatabaseTime;
import io.firstcome.domain.audit.AuditEntry;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.CouponStatus;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.port.Rehearsals;
import io.firstcome.domain.rehearsal.Rehearsal;
import io.firstcome.domain.rehearsal.Rehearsal.State;
import io.firstcome.domain.rehearsal.RehearsalId;
import io.firstcome.domain.rehearsal.RehearsalPlan;
import io.firstcome.domain.rehearsal.RehearsalResult;
import io.firstcome.domain.usercoupon.Actor;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.impl.SQLDataType;

/** {@link Rehearsals} in PostgreSQL. */
public final class JooqRehearsals implements Rehearsals {

  private static final Condition RUNS = REHEARSAL.STATE.eq(inline(State.RUNNING.name()));

  private final Database database;

  public JooqRehearsals(Database database) {
    this.database = database;
  }

  @Override
  public Optional<Rehearsal> start(
      RehearsalPlan plan, CouponId clone, String instance, Actor actor, Instant at) {
    return database.transaction(dsl -> {
      var started =
          dsl.insertInto(REHEARSAL)
              .set(REHEARSAL.COUPON_ID, plan.couponId().value())
              .set(REHEARSAL.CLONE_ID, clone.value())
              .set(REHEARSAL.USERS, plan.users())
              .set(REHEARSAL.QUANTITY, plan.quantity())
              .set(REHEARSAL.SHAPE, plan.arrival().shape().name())
              .set(REHEARSAL.DURATION_MILLIS, Math.toIntExact(plan.arrival().duration().toMillis()))
              .set(REHEARSAL.BURSTS, plan.arrival().bursts())
              .set(REHEARSAL.ACTOR_KIND, actor.kind().name())
              .set(REHEARSAL.ACTOR_NAME, actor.name())
              .set(REHEARSAL.INSTANCE, instance)
              .set(REHEARSAL.STARTED_AT, at)
              .onConflictDoNothing()
              .returning()
              .fetchOptional(RehearsalRows::fromRow);
      if (started.isPresent()) {
        AuditRows.add(dsl, List.of(AuditEntry.ofRehearsal(plan, clone, actor, at)));
      }
      return started;
    });
  }

  @Override
  public boolean goesOn(RehearsalId id, int answered) {
    return database.statement(dsl ->
        dsl.update(REHEARSAL)
            .set(REHEARSAL.ANSWERED, answered)
            .set(REHEARSAL.WENT_ON_AT, DatabaseTime.NOW)
            .where(is(id))
            .and(RUNS)
            .execute())
        == 1;
  }

  private static Condition is(RehearsalId id) {
    return REHEARSAL.REHEARSAL_ID.eq(id.value());
  }

  @Override
  public void end(RehearsalId id, RehearsalResult result) {
    database.statement(dsl ->
        dsl.update(REHEARSAL)
            .set(RehearsalRows.result(result))
            .set(REHEARSAL.ANSWERED, result.crowd().answers())
            .set(REHEARSAL.STATE, State.REMOVING.name())
            .where(is(id))
            .and(RUNS)
            .execute());
  }

  @Override
  public void stop(RehearsalId id, Actor actor, Instant at) {
    database.transaction(dsl -> {
      var stopped =
          dsl.update(REHEARSAL)
              .set(REHEARSAL.STATE, State.REMOVING.name())
              .where(is(id))
              .and(RUNS)
              .returning()
              .fetchOptional(RehearsalRows::fromRow);
      stopped.ifPresent(rehearsal ->
          AuditRows.add(dsl, List.of(AuditEntry.ofStoppedRehearsal(rehearsal, actor, at))));
      return stopped;
    });
  }

  @Override
  public void stopSilent(Duration silence) {
    database.statement(dsl ->
        dsl.update(REHEARSAL)
            .set(REHEARSAL.STATE, State.REMOVING.name())
            .where(isSilentFor(silence))
            .and(RUNS)
            .execute());
  }

  private static Condition isSilentFor(Duration silence) {
    return condition(
        "{0} < {1} - {2} * interval '1 millisecond'",
        REHEARSAL.WENT_ON_AT, DatabaseTime.NOW, val(silence.toMillis()));
  }

  @Override
  public Optional<Rehearsal> find(RehearsalId id) {
    return database.read(
        dsl -> dsl.selectFrom(REHEARSAL).where(is(id)).fetchOptional(RehearsalRows::fromRow));
  }

  @Override
  public List<Rehearsal> latest(int max) {
    return database.read(dsl ->
        dsl.selectFrom(REHEARSAL)
            .orderBy(REHEARSAL.REHEARSAL_ID.desc())
            .limit(max)
            .fetch(RehearsalRows::fromRow));
  }

  @Override
  public Optional<Rehearsal> latestResult(CouponId couponId) {
    return database.read(dsl ->
        dsl.selectFrom(REHEARSAL)
            .where(REHEARSAL.COUPON_ID.eq(couponId.value()))
            .and(REHEARSAL.ACCEPTED.isNotNull())
            .orderBy(REHEARSAL.REHEARSAL_ID.desc())
            .limit(1)
            .fetchOptional(RehearsalRows::fromRow));
  }

  @Override
  public List<CouponId> lateClones() {
    return database.read(dsl ->
        dsl.select(REHEARSAL.CLONE_ID)
            .from(REHEARSAL)
            .join(COUPON)
            .on(COUPON.COUPON_ID.eq(REHEARSAL.CLONE_ID))
            .where(REHEARSAL.STATE.eq(inline(State.REMOVED.name())))
            .and(COUPON.STATUS.ne(inline(CouponStatus.ARCHIVED.name())))
            .fetch(row -> new CouponId(row.value1())));
  }

  @Override
  public Removal removeRows(RehearsalId id, int max, boolean arePublished) {
    return database.transaction(dsl -> {
      var rehearsal =
          dsl.selectFrom(REHEARSAL)
              .where(is(id))
              .and(REHEARSAL.STATE.eq(inline(State.REMOVING.name())))
              .forUpdate()
              .skipLocked()
              .fetchOptional();
      return rehearsal.isEmpty()
          ? Removal.WAIT
          : removeRows(dsl, id, rehearsal.get().getCloneId(), max, arePublished);
    });
  }

  private static Removal removeRows(
      DSLContext dsl, RehearsalId id, String clone, int max, boolean arePublished) {
    var coupon = dsl.selectFrom(COUPON).where(COUPON.COUPON_ID.eq(clone)).forUpdate().fetchOne();
    if (coupon == null) {
      // It ended before its clone was defined, which its instance may be about to do.
      return markRemoved(dsl, is(id).and(isSilentFor(SILENCE))) ? Removal.DONE : Removal.WAIT;
    }
    if (!canBeRemoved(dsl, coupon, arePublished)) {
      return Removal.WAIT;
    }
    int removed = remove(dsl, coupon, condition(USER_COUPON.LIVE), max);
    removed += remove(dsl, coupon, not(condition(USER_COUPON.LIVE)), max - removed);
    dsl.update(COUPON)
        .set(COUPON.REMOVED_USER_COUPONS, COUPON.REMOVED_USER_COUPONS.plus(removed))
        .where(COUPON.COUPON_ID.eq(clone))
        .execute();
    if (removed == max) {
      return Removal.MORE;
    }
    end(dsl, coupon);
    markRemoved(dsl, is(id));
    return Removal.DONE;
  }

  /** Also redemptions: nothing keeps a shop from using the coupon of a synthetic user. */
  private static int remove(DSLContext dsl, CouponRecord coupon, Condition kind, int max) {
    var tags =
        dsl.select(USER_COUPON.TAG)
            .from(USER_COUPON)
            .where(USER_COUPON.COUPON_NUMBER.eq(coupon.getCouponNumber()))
            .and(kind)
            .limit(max)
            .fetchArray(USER_COUPON.TAG);
    var all = any(val(tags, SQLDataType.BLOB.getArrayDataType()));
    dsl.deleteFrom(REDEMPTION).where(REDEMPTION.TAG.eq(all)).execute();
    return dsl.deleteFrom(USER_COUPON).where(USER_COUPON.TAG.eq(all)).execute();
  }

  /** As before the removal of rows whose retention is over. */
  private static boolean canBeRemoved(DSLContext dsl, CouponRecord coupon, boolean arePublished) {
    if (!CouponStatus.ARCHIVED.name().equals(coupon.getStatus())
        || coupon.getStockRevision() < coupon.getRevision()) {
      return false;
    }
    if (coupon.getRemovalBegunAt() != null) {
      return true;
    }
    if (areRowsNeeded(dsl, coupon, arePublished)) {
      return false;
    }
    // Transactions that insert rows of the coupon end first; later ones read that this has begun.
    Epochs.waitForHolders(dsl, new Partition(coupon.getPartitionId()));
    if (areRowsNeeded(dsl, coupon, arePublished)) {
      return false;
    }
    dsl.deleteFrom(EVENT_OUTBOX).where(EVENT_OUTBOX.COUPON_ID.eq(coupon.getCouponId())).execute();
    dsl.update(COUPON)
        .set(COUPON.REMOVAL_BEGUN_AT, DatabaseTime.NOW)
        .where(COUPON.COUPON_ID.eq(coupon.getCouponId()))
        .execute();
    return true;
  }

  private static boolean areRowsNeeded(DSLContext dsl, CouponRecord coupon, boolean arePublished) {
    var id = coupon.getCouponId();
    return (arePublished && dsl.fetchExists(EVENT_OUTBOX, EVENT_OUTBOX.COUPON_ID.eq(id)))
        || dsl.fetchExists(LATE_CLAIM, LATE_CLAIM.COUPON_ID.eq(id));
  }

  private static void end(DSLContext dsl, CouponRecord coupon) {
    dsl.deleteFrom(CLAIM_COUNT)
        .where(CLAIM_COUNT.COUPON_NUMBER.eq(coupon.getCouponNumber()))
        .execute();
    dsl.deleteFrom(REJECTED_CLAIM)
        .where(REJECTED_CLAIM.COUPON_ID.eq(coupon.getCouponId()))
        .execute();
    dsl.deleteFrom(DEAD_LETTER).where(DEAD_LETTER.COUPON_ID.eq(coupon.getCouponId())).execute();
    var ended =
        dsl.update(COUPON)
            .set(COUPON.REMOVAL_ENDED_AT, DatabaseTime.NOW)
            .where(COUPON.COUPON_ID.eq(coupon.getCouponId()))
            .returning(COUPON.REMOVED_USER_COUPONS, COUPON.REMOVAL_ENDED_AT)
            .fetchSingle();
    AuditRows.add(
        dsl,
        List.of(
            AuditEntry.ofRemoval(
                new CouponId(coupon.getCouponId()),
                ended.getRemovedUserCoupons(),
                ended.getRemovalEndedAt())));
  }

  private static boolean markRemoved(DSLContext dsl, Condition which) {
    return dsl.update(REHEARSAL).set(REHEARSAL.STATE, State.REMOVED.name()).where(which).execute()
        == 1;
  }
}
