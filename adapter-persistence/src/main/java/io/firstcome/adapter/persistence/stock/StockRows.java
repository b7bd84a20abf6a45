package io.firstcome.adapter.persistence.stock;

import static io.firstcome.adapter.persistence.generated.Tables.COUPON;
import static io.firstcome.adapter.persistence.generated.Tables.REJECTED_CLAIM;
import static io.firstcome.adapter.persistence.generated.Tables.USER_COUPON;
import static org.jooq.impl.DSL.any;
import static org.jooq.impl.DSL.castNull;
import static org.jooq.impl.DSL.coalesce;
import static org.jooq.impl.DSL.condition;
import static org.jooq.impl.DSL.count;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.greatest;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.max;
import static org.jooq.impl.DSL.not;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.val;
import static org.jooq.impl.DSL.when;

import io.firstcome.adapter.persistence.coupon.CouponRows;
import io.firstcome.adapter.persistence.event.EventRows;
import io.firstcome.adapter.persistence.session.Columns;
import io.firstcome.domain.coupon.Campaign;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.issuance.LedgerMark;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.UserId;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.Record2;
import org.jooq.Select;
import org.jooq.impl.SQLDataType;

/**
 * Reads and changes the slots of a coupon in its rows. A live row holds its slot. A row that is not
 * live has given its slot back, and the slot is free while the row's {@code slot_free} is true. The
 * next slot is the one above all that were ever allocated.
 */
final class StockRows {

  /** The slot, negative after it went back, as in the ledger in Redis. */
  private static final Field<Integer> MARK =
      when(condition(USER_COUPON.LIVE), USER_COUPON.SLOT).otherwise(USER_COUPON.SLOT.neg());

  private static final int REJECTED = 0;

  private static final Condition IS_FREE = condition(USER_COUPON.SLOT_FREE);
  private static final Condition LIVE = condition(USER_COUPON.LIVE);

  private static final Field<String> NO_USER = castNull(SQLDataType.CLOB);
  private static final Field<Instant> NO_TIME = castNull(SQLDataType.INSTANT);
  private static final Field<Instant> NOW = field("clock_timestamp()", SQLDataType.INSTANT);

  private StockRows() {}

  /**
   * What one call reads.
   *
   * @param marks of those of its users who have one
   * @param free the lowest slots that went back
   * @param next the lowest slot that was never allocated
   * @param now by the server's clock
   */
  record State(Map<UserId, LedgerMark> marks, TreeSet<Integer> free, int next, Instant now) {}

  /**
   * Reads the state in one statement, whose snapshot is newer than the locks that the transaction
   * holds.
   *
   * @param maxFree maximum number of free slots
   */
  static State read(
      DSLContext transaction, CouponId couponId, Collection<UserId> users, int maxFree) {
    var marks = new HashMap<UserId, LedgerMark>();
    var free = new TreeSet<Integer>();
    int next = 0;
    Instant now = Instant.EPOCH;
    var rows =
        select(USER_COUPON.USER_ID, MARK, NO_TIME)
            .from(USER_COUPON)
            .where(isOf(couponId))
            .and(Columns.isOneOf(USER_COUPON.USER_ID, users))
            .unionAll(
                select(REJECTED_CLAIM.USER_ID, inline(REJECTED), NO_TIME)
                    .from(REJECTED_CLAIM)
                    .where(REJECTED_CLAIM.COUPON_ID.eq(couponId.value()))
                    .and(Columns.isOneOf(REJECTED_CLAIM.USER_ID, users)))
            .unionAll(
                select(NO_USER, USER_COUPON.SLOT, NO_TIME)
                    .from(USER_COUPON)
                    .where(isOf(couponId))
                    .and(IS_FREE)
                    .orderBy(USER_COUPON.SLOT)
                    .limit(maxFree))
            .unionAll(select(NO_USER, next(couponId), NOW));
    for (var row : transaction.fetch(rows)) {
      if (row.value1() != null) {
        put(marks, new UserId(row.value1()), row.value2());
      } else if (row.value3() != null) {
        next = row.value2();
        now = row.value3();
      } else {
        free.add(row.value2());
      }
    }
    return new State(marks, free, next, now);
  }

  /** Two subqueries, because live rows and the other rows have separate indexes. */
  static Field<Integer> next(CouponId couponId) {
    return greatest(highest(couponId, LIVE), highest(couponId, not(LIVE))).plus(inline(1));
  }

  private static Field<Integer> highest(CouponId couponId, Condition kind) {
    return coalesce(
        field(select(max(USER_COUPON.SLOT)).from(USER_COUPON).where(isOf(couponId)).and(kind)),
        inline(0));
  }

  static Select<Record2<String, Integer>> marksOf(CouponId couponId, Collection<UserId> users) {
    return select(USER_COUPON.USER_ID, MARK)
        .from(USER_COUPON)
        .where(isOf(couponId))
        .and(Columns.isOneOf(USER_COUPON.USER_ID, users))
        .unionAll(
            select(REJECTED_CLAIM.USER_ID, inline(REJECTED))
                .from(REJECTED_CLAIM)
                .where(REJECTED_CLAIM.COUPON_ID.eq(couponId.value()))
                .and(Columns.isOneOf(REJECTED_CLAIM.USER_ID, users)));
  }

  /**
   * How many other coupons of the campaign each of the users has, by the rows that are committed;
   * without users who have none.
   */
  static Map<UserId, Integer> otherCoupons(
      DSLContext transaction, Campaign campaign, CouponId couponId, Collection<UserId> users) {
    var others =
        select(COUPON.COUPON_NUMBER)
            .from(COUPON)
            .where(
                Columns.isOneOf(
                    COUPON.COUPON_ID, campaign.others(couponId).stream().map(CouponId::value)));
    return transaction
        .select(USER_COUPON.USER_ID, count())
        .from(USER_COUPON)
        .where(Columns.isOneOf(USER_COUPON.USER_ID, users))
        .and(USER_COUPON.COUPON_NUMBER.in(others))
        .and(LIVE)
        .groupBy(USER_COUPON.USER_ID)
        .fetchMap(row -> new UserId(row.value1()), row -> row.value2());
  }

  /** Whether any user has a mark. */
  static boolean hasMarks(DSLContext dsl, CouponId couponId) {
    return dsl.select(next(couponId)).fetchSingle().value1() > 1
        || dsl.fetchExists(REJECTED_CLAIM, REJECTED_CLAIM.COUPON_ID.eq(couponId.value()));
  }

  static Map<UserId, LedgerMark> marks(List<? extends Record> rows) {
    var marks = new HashMap<UserId, LedgerMark>();
    rows.forEach(
        row -> put(marks, new UserId(row.get(0, String.class)), row.get(1, Integer.class)));
    return marks;
  }

  /** If a user was rejected and has a row as well, the row decides. */
  private static void put(Map<UserId, LedgerMark> marks, UserId user, int mark) {
    if (mark == REJECTED) {
      marks.putIfAbsent(user, new LedgerMark.WasRejected());
    } else {
      var slot = new Slot(Math.abs(mark));
      marks.put(user, mark > 0 ? new LedgerMark.Holds(slot) : new LedgerMark.GaveBack(slot));
    }
  }

  static List<Slot> free(DSLContext dsl, CouponId couponId, int after, int max) {
    return dsl.select(USER_COUPON.SLOT)
        .from(USER_COUPON)
        .where(isOf(couponId))
        .and(IS_FREE)
        .and(USER_COUPON.SLOT.gt(after))
        .orderBy(USER_COUPON.SLOT)
        .limit(max)
        .fetch(row -> new Slot(row.value1()));
  }

  static int countFree(DSLContext dsl, CouponId couponId) {
    return dsl.fetchCount(USER_COUPON, isOf(couponId).and(IS_FREE));
  }

  /** Marks free slots as taken, each of which gets a new holder in the same transaction. */
  static void takeAgain(DSLContext transaction, CouponId couponId, List<Integer> slots) {
    if (slots.isEmpty()) {
      return;
    }
    int taken =
        transaction
            .update(USER_COUPON)
            .set(USER_COUPON.SLOT_FREE, false)
            .where(isOf(couponId))
            .and(USER_COUPON.SLOT.eq(any(val(slots.toArray(Integer[]::new)))))
            .and(IS_FREE)
            .execute();
    if (taken != slots.size()) {
      throw new IllegalStateException(
          "only %d of %d slots of %s were free".formatted(taken, slots.size(), couponId));
    }
  }

  /** Removes all free slots from the stock; returns how many there were. */
  static int forgetFree(DSLContext dsl, CouponId couponId) {
    return dsl.update(USER_COUPON)
        .set(USER_COUPON.SLOT_FREE, false)
        .where(isOf(couponId))
        .and(IS_FREE)
        .execute();
  }

  /**
   * Makes the slot of this row free, once per row, with its event; does nothing while the row is
   * live.
   */
  static boolean offer(
      DSLContext transaction, CouponId couponId, UserId user, Slot slot, int generation) {
    var offered =
        transaction
            .update(USER_COUPON)
            .set(USER_COUPON.SLOT_FREE, true)
            .set(USER_COUPON.SLOT_RELEASED, true)
            .where(isOf(couponId))
            .and(USER_COUPON.USER_ID.eq(user.value()))
            .and(USER_COUPON.SLOT.eq(slot.number()))
            .and(USER_COUPON.GENERATION.eq(generation))
            .and(not(LIVE))
            .and(not(condition(USER_COUPON.SLOT_RELEASED)))
            .returning(USER_COUPON.COUPON_NUMBER, USER_COUPON.SLOT, USER_COUPON.GENERATION)
            .fetchOptional();
    offered.ifPresent(row -> EventRows.addReturnedToSale(transaction, row));
    return offered.isPresent();
  }

  private static Condition isOf(CouponId couponId) {
    return USER_COUPON.COUPON_NUMBER.eq(CouponRows.numberOf(couponId));
  }
}
