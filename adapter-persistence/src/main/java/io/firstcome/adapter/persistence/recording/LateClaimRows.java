package io.firstcome.adapter.persistence.recording;

import static io.firstcome.adapter.persistence.generated.Tables.LATE_CLAIM;
import static io.firstcome.adapter.persistence.generated.Tables.REJECTED_CLAIM;
import static io.firstcome.adapter.persistence.session.Columns.column;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.notExists;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.selectOne;
import static org.jooq.impl.DSL.table;

import io.firstcome.adapter.persistence.generated.tables.records.LateClaimRecord;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.handoff.LateClaim;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.UserId;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.Table;
import org.jooq.impl.SQLDataType;

/** Maps late claims to rows and back. */
final class LateClaimRows {

  private static final String ALIAS = "incoming";

  private static final Field<String> COUPON_ID = field(name(ALIAS, "coupon_id"), SQLDataType.CLOB);
  private static final Field<String> USER_ID = field(name(ALIAS, "user_id"), SQLDataType.CLOB);
  private static final Field<Integer> SLOT = field(name(ALIAS, "slot"), SQLDataType.INTEGER);
  private static final Field<Integer> PARTITION_ID =
      field(name(ALIAS, "partition_id"), SQLDataType.INTEGER);
  private static final Field<Instant> ACCEPTED_AT =
      field(name(ALIAS, "accepted_at"), SQLDataType.INSTANT);
  private static final Field<Long> PLACE = field(name(ALIAS, "place"), SQLDataType.BIGINT);

  private LateClaimRows() {}

  /**
   * Keeps the claims, except those that are kept already and those that were rejected: a
   * redelivered message must not make a rejected claim a late claim again.
   */
  static void keep(DSLContext transaction, List<LateClaim> claims) {
    if (claims.isEmpty()) {
      return;
    }
    var sorted = claims.stream().sorted(Comparator.comparing(Owner::of, Owner.ORDER)).toList();
    transaction
        .insertInto(
            LATE_CLAIM,
            LATE_CLAIM.COUPON_ID,
            LATE_CLAIM.USER_ID,
            LATE_CLAIM.PROMISED_SLOT,
            LATE_CLAIM.PARTITION_ID,
            LATE_CLAIM.ACCEPTED_AT)
        .select(
            select(COUPON_ID, USER_ID, SLOT, PARTITION_ID, ACCEPTED_AT)
                .from(incoming(sorted))
                .where(
                    notExists(
                        selectOne()
                            .from(REJECTED_CLAIM)
                            .where(REJECTED_CLAIM.COUPON_ID.eq(COUPON_ID))
                            .and(REJECTED_CLAIM.USER_ID.eq(USER_ID))))
                .orderBy(PLACE))
        .onConflict(LATE_CLAIM.COUPON_ID, LATE_CLAIM.USER_ID)
        .doNothing()
        .execute();
  }

  static LateClaim fromRow(LateClaimRecord row) {
    return new LateClaim(
        new CouponId(row.getCouponId()),
        new UserId(row.getUserId()),
        new Slot(row.getPromisedSlot()),
        new Partition(row.getPartitionId()),
        row.getAcceptedAt());
  }

  private static Table<Record> incoming(List<LateClaim> claims) {
    return table(
            "unnest({0}, {1}, {2}, {3}, {4}) WITH ORDINALITY",
            column(claims, SQLDataType.CLOB, String[]::new, c -> c.couponId().value()),
            column(claims, SQLDataType.CLOB, String[]::new, c -> c.userId().value()),
            column(claims, SQLDataType.INTEGER, Integer[]::new, c -> c.promised().number()),
            column(claims, SQLDataType.INTEGER, Integer[]::new, c -> c.partition().number()),
            column(claims, SQLDataType.INSTANT, Instant[]::new, LateClaim::acceptedAt))
        .as(
            ALIAS,
            COUPON_ID.getName(),
            USER_ID.getName(),
            SLOT.getName(),
            PARTITION_ID.getName(),
            ACCEPTED_AT.getName(),
            PLACE.getName());
  }
}
