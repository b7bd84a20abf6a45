package io.firstcome.adapter.persistence.recording;

import static io.firstcome.adapter.persistence.generated.Tables.COUPON;
import static io.firstcome.adapter.persistence.generated.Tables.USER_COUPON;
import static org.jooq.impl.DSL.coalesce;
import static org.jooq.impl.DSL.exists;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.selectOne;

import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.usercoupon.AcceptedClaim;
import java.util.List;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jspecify.annotations.Nullable;

/**
 * The state of the database that can prevent a claim from being recorded.
 *
 * @param ownSlot the slot of the user's own row, or null; also after the user was erased
 * @param totalQuantity of the coupon, or null if there is none
 * @param partition of the coupon, or null if there is none
 * @param slotIsHeld whether a live row has the claim's slot
 * @param identityIsTaken whether a row has the tag of the claim's id and code
 */
record ClaimObstacles(
    @Nullable Integer ownSlot,
    @Nullable Integer totalQuantity,
    @Nullable Integer partition,
    boolean slotIsHeld,
    boolean identityIsTaken) {

  /** The tag is that of coupon and user, also if the row has a pseudonym. */
  private static final Condition WAS_ERASED =
      USER_COUPON
          .TAG
          .eq(IncomingClaims.TAG)
          .and(USER_COUPON.USER_ID.startsWith(inline(UserId.PSEUDONYM_PREFIX)));

  private static final Field<Integer> OWN_SLOT =
      coalesce(slotOf(USER_COUPON.USER_ID.eq(IncomingClaims.USER_ID)), slotOf(WAS_ERASED));

  private static final Field<Boolean> SLOT_IS_HELD =
      field(
          existsRow(
              USER_COUPON
                  .COUPON_NUMBER
                  .eq(COUPON.COUPON_NUMBER)
                  .and(USER_COUPON.SLOT.eq(IncomingClaims.SLOT))
                  .and(USER_COUPON.LIVE)));

  private static final Field<Boolean> IDENTITY_IS_TAKEN =
      field(existsRow(USER_COUPON.TAG.eq(IncomingClaims.TAG)));

  /**
   * Reads the obstacles of all claims in a new statement, so with a new snapshot; the result is in
   * the same order.
   */
  static List<ClaimObstacles> of(DSLContext transaction, List<AcceptedClaim> claims) {
    var incoming = IncomingClaims.of(claims);
    return transaction
        .select(
            OWN_SLOT, COUPON.TOTAL_QUANTITY, COUPON.PARTITION_ID, SLOT_IS_HELD, IDENTITY_IS_TAKEN)
        .from(incoming.asTable())
        .leftJoin(COUPON)
        .on(COUPON.COUPON_ID.eq(IncomingClaims.COUPON_ID).and(COUPON.REMOVAL_BEGUN_AT.isNull()))
        .and(incoming.isOneOfTheirs(COUPON.COUPON_ID))
        .orderBy(IncomingClaims.PLACE)
        .fetch(row ->
            new ClaimObstacles(
                row.value1(), row.value2(), row.value3(), row.value4(), row.value5()));
  }

  boolean isIn(Partition claimed) {
    return partition != null && partition == claimed.number();
  }

  private static Field<Integer> slotOf(Condition isOfUser) {
    return field(
        select(USER_COUPON.SLOT)
            .from(USER_COUPON)
            .where(USER_COUPON.COUPON_NUMBER.eq(COUPON.COUPON_NUMBER))
            .and(isOfUser));
  }

  private static Condition existsRow(Condition condition) {
    return exists(selectOne().from(USER_COUPON).where(condition));
  }
}
