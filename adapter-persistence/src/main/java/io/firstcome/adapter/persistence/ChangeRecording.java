package io.firstcome.adapter.persistence;

import static io.firstcome.adapter.persistence.generated.Tables.REDEMPTION;
import static io.firstcome.adapter.persistence.generated.Tables.USER_COUPON;

import io.firstcome.adapter.persistence.generated.tables.records.RedemptionRecord;
import io.firstcome.adapter.persistence.generated.tables.records.UserCouponRecord;
import io.firstcome.domain.usercoupon.Redemption;
import io.firstcome.domain.usercoupon.UserCoupon;
import io.firstcome.domain.usercoupon.UserCouponChange;
import java.time.Instant;
import org.jooq.DSLContext;
import org.jspecify.annotations.Nullable;

/** Writes a step in the life of a user coupon within a transaction: its row, and the redemption. */
final class ChangeRecording {

  private static final String HELD = "HELD";
  private static final String CONFIRMED = "CONFIRMED";
  private static final String RELEASED = "RELEASED";
  private static final String UNDONE = "UNDONE";

  private final DSLContext transaction;

  ChangeRecording(DSLContext transaction) {
    this.transaction = transaction;
  }

  /** A redemption as it is to be stored. */
  private record Stored(Redemption redemption, String state, @Nullable Instant heldUntil) {

    boolean isOfTheOrderOf(@Nullable Stored other) {
      return other != null && other.redemption.orderId().equals(redemption.orderId());
    }
  }

  /** Returns false, and writes nothing, if the row is of another revision by now. */
  boolean record(UserCouponChange change) {
    int rows =
        transaction
            .update(USER_COUPON)
            .set(changed(change))
            .where(USER_COUPON.USER_COUPON_ID.eq(change.before().id().toString()))
            .and(USER_COUPON.REVISION.eq(change.before().revision()))
            .execute();
    if (rows == 0) {
      return false;
    }
    if (rows != 1) {
      throw new IllegalStateException(
          "%d rows have the id %s".formatted(rows, change.before().id()));
    }
    endRedemption(change);
    putRedemption(change);
    return true;
  }

  private static UserCouponRecord changed(UserCouponChange change) {
    var row = new UserCouponRecord();
    row.setState(change.after().state().name());
    row.setRevision(change.after().revision());
    row.setOrderId(null);
    switch (change.after()) {
      case UserCoupon.Held held -> row.setOrderId(held.redemption().orderId().value());
      case UserCoupon.Used used -> row.setOrderId(used.redemption().orderId().value());
      case UserCoupon.Returned returned -> {
        row.setEndedAt(returned.returnedAt());
        row.setLive(!returned.slotWentBack());
      }
      case UserCoupon.Revoked revoked -> {
        row.setEndedAt(revoked.revokedAt());
        row.setRevocationReason(revoked.reason());
        row.setLive(!revoked.slotWentBack());
      }
      case UserCoupon.Issued _, UserCoupon.Expired _ -> {}
    }
    return row;
  }

  /** What it was taken for before it is not any more, unless the new state goes on with it. */
  private void endRedemption(UserCouponChange change) {
    var ended = stored(change.before());
    if (ended == null || ended.isOfTheOrderOf(stored(change.after()))) {
      return;
    }
    transaction
        .update(REDEMPTION)
        .set(REDEMPTION.STATE, ended.state().equals(CONFIRMED) ? UNDONE : RELEASED)
        .setNull(REDEMPTION.HELD_UNTIL)
        .set(REDEMPTION.CHANGED_AT, change.at())
        .where(REDEMPTION.USER_COUPON_ID.eq(change.before().id().toString()))
        .and(REDEMPTION.ORDER_ID.eq(ended.redemption().orderId().value()))
        .execute();
  }

  private void putRedemption(UserCouponChange change) {
    var taken = stored(change.after());
    if (taken == null) {
      return;
    }
    var redemption = taken.redemption();
    var row = new RedemptionRecord();
    row.setUserCouponId(change.after().id().toString());
    row.setOrderId(redemption.orderId().value());
    row.setCurrency(redemption.order().currency().getCurrencyCode());
    row.setOrderMinorUnits(redemption.order().minorUnits());
    row.setDiscountMinorUnits(redemption.discount().minorUnits());
    row.setState(taken.state());
    row.setHeldUntil(taken.heldUntil());
    row.setChangedAt(change.at());
    transaction
        .insertInto(REDEMPTION)
        .set(row)
        .onConflict(REDEMPTION.USER_COUPON_ID, REDEMPTION.ORDER_ID)
        .doUpdate()
        .set(row)
        .execute();
  }

  private static @Nullable Stored stored(UserCoupon userCoupon) {
    return switch (userCoupon) {
      case UserCoupon.Held held -> new Stored(held.redemption(), HELD, held.until());
      case UserCoupon.Used used -> new Stored(used.redemption(), CONFIRMED, null);
      case UserCoupon.Issued _, UserCoupon.Expired _, UserCoupon.Returned _, UserCoupon.Revoked _ ->
          null;
    };
  }
}
