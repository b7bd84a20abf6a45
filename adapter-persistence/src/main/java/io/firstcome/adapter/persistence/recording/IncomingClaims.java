package io.firstcome.adapter.persistence.recording;

import static io.firstcome.adapter.persistence.session.Columns.column;
import static org.jooq.impl.DSL.any;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.table;
import static org.jooq.impl.DSL.val;

import io.firstcome.domain.usercoupon.AcceptedClaim;
import java.time.Instant;
import java.util.List;
import org.jooq.Condition;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.Table;
import org.jooq.impl.SQLDataType;

/** A batch of claims as a table in a statement, made of one array for each column. */
final class IncomingClaims {

  private static final String ALIAS = "incoming";

  static final Field<String> COUPON_ID = field(name(ALIAS, "coupon_id"), SQLDataType.CLOB);
  static final Field<Integer> PARTITION_ID =
      field(name(ALIAS, "partition_id"), SQLDataType.INTEGER);
  static final Field<String> USER_ID = field(name(ALIAS, "user_id"), SQLDataType.CLOB);
  static final Field<Integer> SLOT = field(name(ALIAS, "slot"), SQLDataType.INTEGER);
  static final Field<Instant> ACCEPTED_AT = field(name(ALIAS, "accepted_at"), SQLDataType.INSTANT);
  static final Field<byte[]> TAG = field(name(ALIAS, "tag"), SQLDataType.BLOB);
  static final Field<byte[]> CODE = field(name(ALIAS, "code"), SQLDataType.BLOB);

  /** The place of the claim in the batch, from 1. */
  static final Field<Long> PLACE = field(name(ALIAS, "place"), SQLDataType.BIGINT);

  private IncomingClaims() {}

  /**
   * Whether the coupon is that of a claim. A join by the id means the same, but with it alone the
   * planner expects as many coupons as claims, and reads the whole table.
   */
  static Condition isOneOfTheirs(Field<String> couponId, List<AcceptedClaim> claims) {
    var ids = claims.stream().map(c -> c.couponId().value()).distinct().toArray(String[]::new);
    return couponId.eq(any(val(ids, SQLDataType.CLOB.getArrayDataType())));
  }

  static Table<Record> of(List<AcceptedClaim> claims) {
    return table(
            "unnest({0}, {1}, {2}, {3}, {4}, {5}, {6}) WITH ORDINALITY",
            column(claims, SQLDataType.CLOB, String[]::new, c -> c.couponId().value()),
            column(claims, SQLDataType.INTEGER, Integer[]::new, c -> c.partition().number()),
            column(claims, SQLDataType.CLOB, String[]::new, c -> c.userId().value()),
            column(claims, SQLDataType.INTEGER, Integer[]::new, c -> c.slot().number()),
            column(claims, SQLDataType.INSTANT, Instant[]::new, AcceptedClaim::acceptedAt),
            column(claims, SQLDataType.BLOB, byte[][]::new, c -> c.identity().id().tagBytes()),
            column(claims, SQLDataType.BLOB, byte[][]::new, c -> c.identity().code().bytes()))
        .as(
            ALIAS,
            COUPON_ID.getName(),
            PARTITION_ID.getName(),
            USER_ID.getName(),
            SLOT.getName(),
            ACCEPTED_AT.getName(),
            TAG.getName(),
            CODE.getName(),
            PLACE.getName());
  }
}
