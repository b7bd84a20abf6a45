package io.firstcome.adapter.persistence.coupon;

import static io.firstcome.adapter.persistence.generated.Tables.COUPON;
import static io.firstcome.adapter.persistence.generated.Tables.DEAD_LETTER;
import static io.firstcome.adapter.persistence.generated.Tables.LATE_CLAIM;
import static io.firstcome.adapter.persistence.generated.Tables.REJECTED_CLAIM;
import static io.firstcome.adapter.persistence.generated.Tables.USER_COUPON;
import static io.firstcome.adapter.persistence.generated.Tables.WAITING_ROOM;
import static org.jooq.impl.DSL.exists;
import static org.jooq.impl.DSL.falseCondition;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.selectOne;

import io.firstcome.adapter.persistence.audit.AuditRows;
import io.firstcome.adapter.persistence.epoch.Epochs;
import io.firstcome.domain.audit.AuditEntry;
import io.firstcome.domain.coupon.CouponChange;
import io.firstcome.domain.coupon.StockBackend;
import io.firstcome.domain.issuance.Epoch;
import io.firstcome.domain.port.CouponRepository.EditOutcome;
import io.firstcome.domain.usercoupon.Actor;
import java.time.Instant;
import java.util.List;
import org.jooq.Condition;
import org.jooq.DSLContext;

/**
 * An edit of a coupon that nobody has claimed, within a transaction.
 *
 * <p>It holds the epoch, so that no recovery makes the stock claimable in between, and the coupon's
 * row, which claims lock if the rows are the stock. The claims are looked for by a later statement,
 * whose snapshot is newer than the locks.
 */
final class UnclaimedEdit {

  private final DSLContext transaction;
  private final CouponChange.Changed change;

  UnclaimedEdit(DSLContext transaction, CouponChange.Changed change) {
    this.transaction = transaction;
    this.change = change;
  }

  EditOutcome commit(Epoch epoch, Actor actor, Instant at) {
    var before = change.before();
    if (before.stockBackend() == StockBackend.REDIS && !epoch.equals(heldEpoch())) {
      return EditOutcome.OTHER_EPOCH;
    }
    var number =
        transaction
            .select(COUPON.COUPON_NUMBER)
            .from(COUPON)
            .where(JooqCouponRepository.isAsRead(before))
            .forNoKeyUpdate()
            .fetchOne(COUPON.COUPON_NUMBER);
    if (number == null) {
      return EditOutcome.OVERTAKEN;
    }
    if (holds(hasClaims(number)) || holds(hasTickets(number, epoch))) {
      return EditOutcome.CLAIMED;
    }
    var edited = change.coupon();
    transaction
        .update(COUPON)
        .set(CouponRows.changeable(edited))
        .set(COUPON.CHANGED_AT, at)
        .set(COUPON.TERMS_REVISION, edited.revision())
        .setNull(COUPON.STOCK_FROZEN_AT)
        .where(COUPON.COUPON_NUMBER.eq(number))
        .execute();
    AuditRows.add(transaction, List.of(AuditEntry.of(change, actor, at)));
    return EditOutcome.DONE;
  }

  private boolean holds(Condition condition) {
    return transaction.select(field(condition)).fetchSingle().value1();
  }

  private Epoch heldEpoch() {
    var partition = change.before().partition();
    return Epochs.hold(transaction, List.of(partition)).getOrDefault(partition, Epoch.NONE);
  }

  /** Live rows and other rows have separate indexes by coupon. */
  private Condition hasClaims(int number) {
    var id = change.before().id().value();
    var ofCoupon = USER_COUPON.COUPON_NUMBER.eq(number);
    var late = LATE_CLAIM.COUPON_ID.eq(id);
    var rejected = REJECTED_CLAIM.COUPON_ID.eq(id);
    var dead = DEAD_LETTER.COUPON_ID.eq(id);
    return exists(selectOne().from(USER_COUPON).where(ofCoupon).and(USER_COUPON.LIVE))
        .or(exists(selectOne().from(USER_COUPON).where(ofCoupon).andNot(USER_COUPON.LIVE)))
        .or(exists(selectOne().from(LATE_CLAIM).where(late)))
        .or(exists(selectOne().from(REJECTED_CLAIM).where(rejected)))
        .or(exists(selectOne().from(DEAD_LETTER).where(dead)));
  }

  /**
   * Users can have tickets that the stock has lost: of a room that was opened in an earlier epoch
   * and is not open yet, it is not known.
   */
  private Condition hasTickets(int number, Epoch epoch) {
    if (change.before().definition().waitingRoom() == null) {
      return falseCondition();
    }
    return exists(
        selectOne()
            .from(WAITING_ROOM)
            .where(WAITING_ROOM.COUPON_NUMBER.eq(number))
            .and(
                WAITING_ROOM
                    .LAST_TICKET
                    .gt(0)
                    .or(WAITING_ROOM.OPENED_IN_EPOCH.ne(epoch.number()))));
  }
}
