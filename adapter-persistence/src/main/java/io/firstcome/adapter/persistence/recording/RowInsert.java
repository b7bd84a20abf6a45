package io.firstcome.adapter.persistence.recording;

import static io.firstcome.adapter.persistence.generated.Tables.COUPON;
import static io.firstcome.adapter.persistence.generated.Tables.USER_COUPON;
import static org.jooq.impl.DSL.coalesce;
import static org.jooq.impl.DSL.condition;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.insertInto;
import static org.jooq.impl.DSL.max;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.not;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.when;
import static org.jooq.impl.DSL.with;

import io.firstcome.adapter.persistence.event.EventRows;
import io.firstcome.adapter.persistence.generated.tables.records.UserCouponRecord;
import io.firstcome.adapter.persistence.recording.ClaimRecording.SkippedConflicts;
import io.firstcome.adapter.persistence.session.BinaryInstant;
import io.firstcome.adapter.persistence.session.DatabaseTime;
import io.firstcome.domain.usercoupon.AcceptedClaim;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record2;
import org.jooq.ResultQuery;
import org.jooq.SQLDialect;
import org.jooq.Table;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;

/**
 * The statement that inserts the rows of a batch of claims, and their events. Every claim that
 * becomes a row passes it, and building it takes longer than a row costs, so its text is built once
 * and only its parameters change.
 */
final class RowInsert {

  private static final String ACCEPTED = "accepted";

  private static final Field<Instant> EXPIRES_AT =
      field(
          "coalesce({0}, {1} + {2} * interval '24 hours')",
          SQLDataType.INSTANT,
          ofAccepted(COUPON.VALID_UNTIL),
          ofAccepted(USER_COUPON.ISSUED_AT),
          ofAccepted(COUPON.VALID_DAYS));

  /**
   * One more than the generation of the slot's last holder, who gave it back. It is searched for
   * only where slots go back to the stock.
   */
  private static final Field<Integer> GENERATION =
      when(condition(COUPON.RETURNS_TO_STOCK), earlierGeneration().plus(inline(1)))
          .otherwise(inline(1));

  private static final Map<SkippedConflicts, String> TEXTS =
      Arrays.stream(SkippedConflicts.values())
          .collect(Collectors.toUnmodifiableMap(skipped -> skipped, RowInsert::text));

  private RowInsert() {}

  /**
   * Inserts the claims that can be inserted, in their order, and adds their events to the outbox.
   *
   * @return tag and time of issue of each inserted row
   */
  static ResultQuery<Record2<byte[], Instant>> rows(
      DSLContext transaction, SkippedConflicts skipped, List<AcceptedClaim> claims) {
    return transaction
        .resultQuery(TEXTS.get(skipped), IncomingClaims.of(claims).parameters())
        .coerce(USER_COUPON.TAG, BinaryInstant.of(USER_COUPON.ISSUED_AT));
  }

  private static String text(SkippedConflicts skipped) {
    var inserted = name("inserted").as(insert(skipped, IncomingClaims.of(List.of())));
    return DSL.using(SQLDialect.POSTGRES)
        .render(
            with(inserted)
                .with(EventRows.eventsOf(inserted))
                .select(inserted.field(USER_COUPON.TAG), inserted.field(USER_COUPON.ISSUED_AT))
                .from(inserted));
  }

  private static ResultQuery<UserCouponRecord> insert(
      SkippedConflicts skipped, IncomingClaims claims) {
    var insert =
        insertInto(
                USER_COUPON,
                USER_COUPON.COUPON_NUMBER,
                USER_COUPON.SLOT,
                USER_COUPON.USER_ID,
                USER_COUPON.TAG,
                USER_COUPON.CODE,
                USER_COUPON.ISSUED_AT,
                USER_COUPON.EXPIRES_AT,
                USER_COUPON.GENERATION)
            .select(
                select(
                        ofAccepted(USER_COUPON.COUPON_NUMBER),
                        ofAccepted(USER_COUPON.SLOT),
                        ofAccepted(USER_COUPON.USER_ID),
                        ofAccepted(USER_COUPON.TAG),
                        ofAccepted(USER_COUPON.CODE),
                        ofAccepted(USER_COUPON.ISSUED_AT),
                        EXPIRES_AT,
                        ofAccepted(USER_COUPON.GENERATION))
                    .from(accepted(claims)));
    return switch (skipped) {
      case WITH_SLOT ->
          insert
              .onConflict(USER_COUPON.COUPON_NUMBER, USER_COUPON.SLOT)
              .where(condition(USER_COUPON.LIVE))
              .doNothing()
              .returning();
      case ANY -> insert.onConflictDoNothing().returning();
    };
  }

  /**
   * The claims that may become rows, in their order. The order also keeps the planner from merging
   * this query with the insert, which would calculate the time of issue twice for each row.
   */
  private static Table<?> accepted(IncomingClaims claims) {
    return select(
            COUPON.COUPON_NUMBER,
            IncomingClaims.SLOT,
            IncomingClaims.USER_ID,
            IncomingClaims.TAG,
            IncomingClaims.CODE,
            DatabaseTime.plausible(IncomingClaims.ACCEPTED_AT).as(USER_COUPON.ISSUED_AT),
            COUPON.VALID_UNTIL,
            COUPON.VALID_DAYS,
            GENERATION.as(USER_COUPON.GENERATION))
        .from(claims.asTable())
        .join(COUPON)
        .on(COUPON.COUPON_ID.eq(IncomingClaims.COUPON_ID))
        .and(claims.isOneOfTheirs(COUPON.COUPON_ID))
        .and(COUPON.PARTITION_ID.eq(IncomingClaims.PARTITION_ID))
        .and(COUPON.REMOVAL_BEGUN_AT.isNull())
        .and(IncomingClaims.SLOT.between(inline(1)).and(COUPON.TOTAL_QUANTITY))
        .orderBy(IncomingClaims.PLACE)
        .asTable(ACCEPTED);
  }

  private static <T> Field<T> ofAccepted(Field<T> column) {
    return field(name(ACCEPTED, column.getName()), column.getDataType());
  }

  private static Field<Integer> earlierGeneration() {
    var earlier = USER_COUPON.as("earlier");
    return coalesce(
        field(
            select(max(earlier.GENERATION))
                .from(earlier)
                .where(earlier.COUPON_NUMBER.eq(COUPON.COUPON_NUMBER))
                .and(earlier.SLOT.eq(IncomingClaims.SLOT))
                .and(not(earlier.LIVE))),
        inline(0));
  }
}
