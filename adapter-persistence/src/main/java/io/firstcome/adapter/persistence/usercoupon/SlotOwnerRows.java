package io.firstcome.adapter.persistence.usercoupon;

import static io.firstcome.adapter.persistence.generated.Tables.USER_COUPON;
import static org.jooq.Records.mapping;
import static org.jooq.impl.DSL.not;
import static org.jooq.impl.DSL.select;

import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.SlotOwner;
import io.firstcome.domain.issuance.UserId;
import java.util.List;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Record4;
import org.jooq.Select;
import org.jspecify.annotations.Nullable;

/** Reads present and past owners of a coupon's slots, in the order of {@link SlotOwner#BY_SLOT}. */
public final class SlotOwnerRows {

  private SlotOwnerRows() {}

  /**
   * Live rows and other rows have separate indexes. One statement reads both, so that a row that is
   * given back concurrently is not missed.
   *
   * @param after the last one of the previous page, or null; only its slot and generation count
   */
  public static List<SlotOwner> after(
      DSLContext dsl, CouponId couponId, @Nullable SlotOwner after, int max) {
    var owners =
        rowsAfter(couponId, UserCouponRows.LIVE, after, max)
            .unionAll(rowsAfter(couponId, not(UserCouponRows.LIVE), after, max))
            .asTable("slot_owner");
    return dsl.select(
            owners.field(USER_COUPON.USER_ID),
            owners.field(USER_COUPON.SLOT),
            owners.field(USER_COUPON.GENERATION),
            owners.field(USER_COUPON.LIVE))
        .from(owners)
        .orderBy(owners.field(USER_COUPON.SLOT), owners.field(USER_COUPON.GENERATION))
        .limit(max)
        // By position: looking fields up by name takes longer than reading them.
        .fetch(
            mapping((user, slot, generation, live) ->
                new SlotOwner(new UserId(user), new Slot(slot), generation, live)));
  }

  private static Select<Record4<String, Integer, Integer, Boolean>> rowsAfter(
      CouponId couponId, Condition kind, @Nullable SlotOwner after, int max) {
    int slot = after == null ? 0 : after.slot().number();
    int generation = after == null ? 0 : after.generation();
    return select(USER_COUPON.USER_ID, USER_COUPON.SLOT, USER_COUPON.GENERATION, USER_COUPON.LIVE)
        .from(USER_COUPON)
        .where(UserCouponRows.hasCoupon(couponId))
        .and(kind)
        .and(USER_COUPON.SLOT.ge(slot))
        .and(USER_COUPON.SLOT.gt(slot).or(USER_COUPON.GENERATION.gt(generation)))
        .orderBy(USER_COUPON.SLOT, USER_COUPON.GENERATION)
        .limit(max);
  }
}
