package io.firstcome.adapter.persistence.usercoupon;

import static io.firstcome.adapter.persistence.session.Columns.column;
import static io.firstcome.adapter.persistence.session.Columns.nullableColumn;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.table;

import io.firstcome.domain.usercoupon.UserCoupon;
import io.firstcome.domain.usercoupon.UserCouponChange;
import java.time.Instant;
import java.util.List;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.Table;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;

/** Steps of user coupons as a table in a statement, with the new values of their rows. */
final class IncomingSteps {

  private static final String ALIAS = "incoming";

  static final Field<byte[]> TAG = field(name(ALIAS, "tag"), SQLDataType.BLOB);
  static final Field<Integer> REVISION_BEFORE =
      field(name(ALIAS, "revision_before"), SQLDataType.INTEGER);
  static final Field<Integer> REVISION = field(name(ALIAS, "revision"), SQLDataType.INTEGER);
  static final Field<String> STATE = field(name(ALIAS, "state"), SQLDataType.CLOB);
  static final Field<String> ORDER_ID = field(name(ALIAS, "order_id"), SQLDataType.CLOB);
  static final Field<Boolean> LIVE = field(name(ALIAS, "live"), SQLDataType.BOOLEAN);
  static final Field<Instant> ENDED_AT = field(name(ALIAS, "ended_at"), SQLDataType.INSTANT);
  static final Field<String> REVOCATION_REASON =
      field(name(ALIAS, "revocation_reason"), SQLDataType.CLOB);

  /** The place of the step in the list, from 1. */
  static final Field<Long> PLACE = field(name(ALIAS, "place"), SQLDataType.BIGINT);

  private IncomingSteps() {}

  /** The values of a row besides its state and revision. */
  private record Members(
      @Nullable String orderId,
      boolean live,
      @Nullable Instant endedAt,
      @Nullable String revocationReason) {

    static Members of(UserCouponChange change) {
      return switch (change.after()) {
        case UserCoupon.Held held ->
            new Members(held.redemption().orderId().value(), true, null, null);
        case UserCoupon.Used used ->
            new Members(used.redemption().orderId().value(), true, null, null);
        case UserCoupon.Returned returned ->
            new Members(null, !returned.slotWentBack(), returned.returnedAt(), null);
        case UserCoupon.Revoked revoked ->
            new Members(null, !revoked.slotWentBack(), revoked.revokedAt(), revoked.reason());
        case UserCoupon.Issued _, UserCoupon.Expired _ -> new Members(null, true, null, null);
      };
    }
  }

  static Table<Record> of(List<UserCouponChange> changes) {
    var members = changes.stream().map(Members::of).toList();
    return table(
            "unnest({0}, {1}, {2}, {3}, {4}, {5}, {6}, {7}) WITH ORDINALITY",
            column(changes, SQLDataType.BLOB, byte[][]::new, c -> c.after().id().tagBytes()),
            column(changes, SQLDataType.INTEGER, Integer[]::new, c -> c.before().revision()),
            column(changes, SQLDataType.INTEGER, Integer[]::new, c -> c.after().revision()),
            column(changes, SQLDataType.CLOB, String[]::new, c -> c.after().state().name()),
            nullableColumn(members, SQLDataType.CLOB, String[]::new, Members::orderId),
            column(members, SQLDataType.BOOLEAN, Boolean[]::new, Members::live),
            nullableColumn(members, SQLDataType.INSTANT, Instant[]::new, Members::endedAt),
            nullableColumn(members, SQLDataType.CLOB, String[]::new, Members::revocationReason))
        .as(
            ALIAS,
            TAG.getName(),
            REVISION_BEFORE.getName(),
            REVISION.getName(),
            STATE.getName(),
            ORDER_ID.getName(),
            LIVE.getName(),
            ENDED_AT.getName(),
            REVOCATION_REASON.getName(),
            PLACE.getName());
  }
}
