package io.firstcome.adapter.persistence.usercoupon;

import static io.firstcome.adapter.persistence.generated.Tables.REDEMPTION;
import static io.firstcome.adapter.persistence.session.Columns.column;
import static io.firstcome.adapter.persistence.session.Columns.nullableColumn;
import static org.jooq.impl.DSL.excluded;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.table;

import io.firstcome.domain.usercoupon.RecordedRedemption.State;
import io.firstcome.domain.usercoupon.Redemption;
import io.firstcome.domain.usercoupon.UserCoupon;
import io.firstcome.domain.usercoupon.UserCouponChange;
import io.firstcome.domain.usercoupon.UserCouponId;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.Table;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;

/** Writes the redemptions that steps of user coupons make, continue or end. */
final class RedemptionRows {

  private static final String ALIAS = "incoming";

  private static final Field<byte[]> TAG = field(name(ALIAS, "tag"), SQLDataType.BLOB);
  private static final Field<String> ORDER_ID = field(name(ALIAS, "order_id"), SQLDataType.CLOB);
  private static final Field<String> CURRENCY = field(name(ALIAS, "currency"), SQLDataType.CLOB);
  private static final Field<Long> ORDER_MINOR_UNITS =
      field(name(ALIAS, "order_minor_units"), SQLDataType.BIGINT);
  private static final Field<Long> DISCOUNT_MINOR_UNITS =
      field(name(ALIAS, "discount_minor_units"), SQLDataType.BIGINT);
  private static final Field<String> SHOP_ID = field(name(ALIAS, "shop_id"), SQLDataType.CLOB);
  private static final Field<String> STATE = field(name(ALIAS, "state"), SQLDataType.CLOB);
  private static final Field<Instant> HELD_UNTIL =
      field(name(ALIAS, "held_until"), SQLDataType.INSTANT);
  private static final Field<Instant> CHANGED_AT =
      field(name(ALIAS, "changed_at"), SQLDataType.INSTANT);

  private RedemptionRows() {}

  /** A redemption after a step. */
  private record Row(
      UserCouponId userCouponId,
      Redemption redemption,
      State state,
      @Nullable Instant heldUntil,
      Instant changedAt) {

    String orderId() {
      return redemption.orderId().value();
    }

    @Nullable String shopId() {
      var shop = redemption.shop();
      return shop == null ? null : shop.value();
    }

    /** The redemption that the step makes or continues, or null. */
    static @Nullable Row made(UserCouponChange change) {
      return switch (change.after()) {
        case UserCoupon.Held held -> of(change, held.redemption(), State.HELD, held.until());
        case UserCoupon.Used used -> of(change, used.redemption(), State.CONFIRMED, null);
        case UserCoupon.Issued _,
            UserCoupon.Expired _,
            UserCoupon.Returned _,
            UserCoupon.Revoked _ ->
            null;
      };
    }

    /** The redemption that the step ends, or null. */
    static @Nullable Row ended(UserCouponChange change) {
      var ended =
          switch (change.before()) {
            case UserCoupon.Held held -> of(change, held.redemption(), State.RELEASED, null);
            case UserCoupon.Used used -> of(change, used.redemption(), State.UNDONE, null);
            case UserCoupon.Issued _,
                UserCoupon.Expired _,
                UserCoupon.Returned _,
                UserCoupon.Revoked _ ->
                null;
          };
      var made = made(change);
      return ended == null || (made != null && made.orderId().equals(ended.orderId()))
          ? null
          : ended;
    }

    private static Row of(
        UserCouponChange change, Redemption redemption, State state, @Nullable Instant until) {
      return new Row(change.after().id(), redemption, state, until, change.at());
    }
  }

  /** Ends the redemptions that the steps do not continue. */
  static void end(DSLContext transaction, List<UserCouponChange> steps) {
    var rows = rows(steps, Row::ended);
    if (rows.isEmpty()) {
      return;
    }
    transaction
        .update(REDEMPTION)
        .set(REDEMPTION.STATE, STATE)
        .set(REDEMPTION.HELD_UNTIL, HELD_UNTIL)
        .set(REDEMPTION.CHANGED_AT, CHANGED_AT)
        .from(incoming(rows))
        .where(REDEMPTION.TAG.eq(TAG))
        .and(REDEMPTION.ORDER_ID.eq(ORDER_ID))
        .execute();
  }

  /**
   * Inserts or updates the redemptions that the steps make or continue, also those that had ended
   * before.
   */
  static void put(DSLContext transaction, List<UserCouponChange> steps) {
    var rows = rows(steps, Row::made);
    if (rows.isEmpty()) {
      return;
    }
    transaction
        .insertInto(
            REDEMPTION,
            REDEMPTION.TAG,
            REDEMPTION.ORDER_ID,
            REDEMPTION.CURRENCY,
            REDEMPTION.ORDER_MINOR_UNITS,
            REDEMPTION.DISCOUNT_MINOR_UNITS,
            REDEMPTION.SHOP_ID,
            REDEMPTION.STATE,
            REDEMPTION.HELD_UNTIL,
            REDEMPTION.CHANGED_AT)
        .select(
            select(
                    TAG,
                    ORDER_ID,
                    CURRENCY,
                    ORDER_MINOR_UNITS,
                    DISCOUNT_MINOR_UNITS,
                    SHOP_ID,
                    STATE,
                    HELD_UNTIL,
                    CHANGED_AT)
                .from(incoming(rows)))
        .onConflict(REDEMPTION.TAG, REDEMPTION.ORDER_ID)
        .doUpdate()
        .set(REDEMPTION.CURRENCY, excluded(REDEMPTION.CURRENCY))
        .set(REDEMPTION.ORDER_MINOR_UNITS, excluded(REDEMPTION.ORDER_MINOR_UNITS))
        .set(REDEMPTION.DISCOUNT_MINOR_UNITS, excluded(REDEMPTION.DISCOUNT_MINOR_UNITS))
        .set(REDEMPTION.SHOP_ID, excluded(REDEMPTION.SHOP_ID))
        .set(REDEMPTION.STATE, excluded(REDEMPTION.STATE))
        .set(REDEMPTION.HELD_UNTIL, excluded(REDEMPTION.HELD_UNTIL))
        .set(REDEMPTION.CHANGED_AT, excluded(REDEMPTION.CHANGED_AT))
        .execute();
  }

  private static List<Row> rows(
      List<UserCouponChange> steps, Function<UserCouponChange, @Nullable Row> row) {
    return steps.stream().map(row).filter(Objects::nonNull).toList();
  }

  private static Table<Record> incoming(List<Row> rows) {
    return table(
            "unnest({0}, {1}, {2}, {3}, {4}, {5}, {6}, {7}, {8})",
            column(rows, SQLDataType.BLOB, byte[][]::new, r -> r.userCouponId().tagBytes()),
            column(rows, SQLDataType.CLOB, String[]::new, Row::orderId),
            column(
                rows,
                SQLDataType.CLOB,
                String[]::new,
                r -> r.redemption().order().currency().getCurrencyCode()),
            column(rows, SQLDataType.BIGINT, Long[]::new, r -> r.redemption().order().minorUnits()),
            column(
                rows, SQLDataType.BIGINT, Long[]::new, r -> r.redemption().discount().minorUnits()),
            nullableColumn(rows, SQLDataType.CLOB, String[]::new, Row::shopId),
            column(rows, SQLDataType.CLOB, String[]::new, r -> r.state().name()),
            nullableColumn(rows, SQLDataType.INSTANT, Instant[]::new, Row::heldUntil),
            column(rows, SQLDataType.INSTANT, Instant[]::new, Row::changedAt))
        .as(
            ALIAS,
            TAG.getName(),
            ORDER_ID.getName(),
            CURRENCY.getName(),
            ORDER_MINOR_UNITS.getName(),
            DISCOUNT_MINOR_UNITS.getName(),
            SHOP_ID.getName(),
            STATE.getName(),
            HELD_UNTIL.getName(),
            CHANGED_AT.getName());
  }
}
