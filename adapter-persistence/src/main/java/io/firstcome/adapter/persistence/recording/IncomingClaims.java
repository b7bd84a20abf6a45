package io.firstcome.adapter.persistence.recording;

import static org.jooq.impl.DSL.any;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.table;

import io.firstcome.adapter.persistence.session.BinaryArray;
import io.firstcome.domain.usercoupon.AcceptedClaim;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jooq.Condition;
import org.jooq.Field;
import org.jooq.Param;
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
  static final Field<byte[]> TAG = field(name(ALIAS, "tag"), SQLDataType.BLOB);
  static final Field<byte[]> CODE = field(name(ALIAS, "code"), SQLDataType.BLOB);

  /** The place of the claim in the batch, from 1. */
  static final Field<Long> PLACE = field(name(ALIAS, "place"), SQLDataType.BIGINT);

  private static final Field<Long> ACCEPTED_MICROS =
      field(name(ALIAS, "accepted_micros"), SQLDataType.BIGINT);

  static final Field<Instant> ACCEPTED_AT =
      field(
          "(timestamptz 'epoch' + {0} * interval '1 microsecond')",
          SQLDataType.INSTANT, ACCEPTED_MICROS);

  private final List<Param<Object>> columns;
  private final Param<Object> coupons;

  private IncomingClaims(List<Param<Object>> columns, Param<Object> coupons) {
    this.columns = columns;
    this.coupons = coupons;
  }

  static IncomingClaims of(List<AcceptedClaim> claims) {
    int size = claims.size();
    var couponIds = new String[size];
    var partitions = new int[size];
    var users = new String[size];
    var slots = new int[size];
    var acceptedMicros = new long[size];
    var tags = new byte[size][];
    var codes = new byte[size][];
    for (int i = 0; i < size; i++) {
      var claim = claims.get(i);
      couponIds[i] = claim.couponId().value();
      partitions[i] = claim.partition().number();
      users[i] = claim.userId().value();
      slots[i] = claim.slot().number();
      acceptedMicros[i] = micros(claim.acceptedAt());
      tags[i] = claim.identity().id().tagBytes();
      codes[i] = claim.identity().code().bytes();
    }
    var coupons =
        claims.stream().map(claim -> claim.couponId().value()).distinct().toArray(String[]::new);
    return new IncomingClaims(
        List.of(
            BinaryArray.param(couponIds),
            BinaryArray.param(partitions),
            BinaryArray.param(users),
            BinaryArray.param(slots),
            BinaryArray.param(acceptedMicros),
            BinaryArray.param(tags),
            BinaryArray.param(codes)),
        BinaryArray.param(coupons));
  }

  /** Microseconds since the epoch. */
  private static long micros(Instant time) {
    return TimeUnit.SECONDS.toMicros(time.getEpochSecond())
        + TimeUnit.NANOSECONDS.toMicros(time.getNano());
  }

  Table<Record> asTable() {
    return table(
            "unnest({0}, {1}, {2}, {3}, {4}, {5}, {6}) WITH ORDINALITY",
            columns.toArray(Param[]::new))
        .as(
            ALIAS,
            COUPON_ID.getName(),
            PARTITION_ID.getName(),
            USER_ID.getName(),
            SLOT.getName(),
            ACCEPTED_MICROS.getName(),
            TAG.getName(),
            CODE.getName(),
            PLACE.getName());
  }

  /**
   * Whether the coupon is that of a claim. A join by the id means the same, but with it alone the
   * planner expects as many coupons as claims, and reads the whole table.
   */
  Condition isOneOfTheirs(Field<String> couponId) {
    return couponId.eq(any(coupons.coerce(SQLDataType.CLOB.getArrayDataType())));
  }

  /** The parameters, first those of the table, then that of the condition. */
  Object[] parameters() {
    return Stream.concat(columns.stream(), Stream.of(coupons)).toArray();
  }
}
