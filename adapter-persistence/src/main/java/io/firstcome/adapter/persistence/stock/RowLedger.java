package io.firstcome.adapter.persistence.stock;

import static io.firstcome.adapter.persistence.generated.Tables.REJECTED_CLAIM;
import static io.firstcome.adapter.persistence.generated.Tables.USER_COUPON;
import static org.jooq.impl.DSL.notExists;
import static org.jooq.impl.DSL.selectOne;

import io.firstcome.adapter.persistence.coupon.CouponRows;
import io.firstcome.adapter.persistence.usercoupon.SlotOwnerRows;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.issuance.LedgerMark;
import io.firstcome.domain.issuance.LedgerPage;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.SlotOwner;
import io.firstcome.domain.issuance.UserId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jooq.DSLContext;
import org.jspecify.annotations.Nullable;

/**
 * The ledger of a coupon whose stock is its rows, read in pages: first the rows by slot and
 * generation, then the rejected users, sorted. If a user was rejected and has a row as well, the
 * row decides.
 *
 * <p>A cursor is {@code <slot>/<generation> <user>} of the last row, or a blank and the last
 * rejected user. No user id contains a blank.
 */
record RowLedger(DSLContext dsl, CouponId couponId, int pageSize) {

  private static final String FIRST_REJECTED = " ";

  LedgerPage page(@Nullable String cursor) {
    return cursor != null && cursor.startsWith(FIRST_REJECTED)
        ? rejected(cursor.substring(FIRST_REJECTED.length()))
        : rows(cursor == null ? null : owner(cursor));
  }

  private LedgerPage rows(@Nullable SlotOwner after) {
    var owners = SlotOwnerRows.after(dsl, couponId, after, pageSize);
    Map<UserId, LedgerMark> marks = new HashMap<>();
    owners.forEach(owner -> marks.put(owner.userId(), owner.mark()));
    return new LedgerPage(
        marks, owners.size() < pageSize ? FIRST_REJECTED : cursor(owners.getLast()));
  }

  private LedgerPage rejected(String after) {
    var users =
        dsl.select(REJECTED_CLAIM.USER_ID)
            .from(REJECTED_CLAIM)
            .where(REJECTED_CLAIM.COUPON_ID.eq(couponId.value()))
            .and(REJECTED_CLAIM.USER_ID.gt(after))
            .and(
                notExists(
                    selectOne()
                        .from(USER_COUPON)
                        .where(USER_COUPON.USER_ID.eq(REJECTED_CLAIM.USER_ID))
                        .and(USER_COUPON.COUPON_NUMBER.eq(CouponRows.numberOf(couponId)))))
            .orderBy(REJECTED_CLAIM.USER_ID)
            .limit(pageSize)
            .fetch(row -> new UserId(row.value1()));
    return new LedgerPage(
        marks(users), users.size() < pageSize ? null : FIRST_REJECTED + users.getLast().value());
  }

  private static Map<UserId, LedgerMark> marks(List<UserId> rejected) {
    Map<UserId, LedgerMark> marks = new HashMap<>();
    rejected.forEach(user -> marks.put(user, new LedgerMark.WasRejected()));
    return marks;
  }

  private static String cursor(SlotOwner last) {
    return "%d/%d %s".formatted(last.slot().number(), last.generation(), last.userId().value());
  }

  private static SlotOwner owner(String cursor) {
    int slash = cursor.indexOf('/');
    int blank = cursor.indexOf(' ');
    return new SlotOwner(
        new UserId(cursor.substring(blank + 1)),
        new Slot(Integer.parseInt(cursor.substring(0, slash))),
        Integer.parseInt(cursor.substring(slash + 1, blank)),
        true);
  }
}
