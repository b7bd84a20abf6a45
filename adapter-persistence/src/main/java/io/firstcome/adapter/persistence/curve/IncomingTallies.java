package io.firstcome.adapter.persistence.curve;

import static io.firstcome.adapter.persistence.session.Columns.column;
import static java.util.stream.Collectors.joining;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.list;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.table;

import io.firstcome.domain.curve.AnswerKind;
import io.firstcome.domain.curve.ClaimTally;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.Table;
import org.jooq.impl.SQLDataType;

/** Tallies as a table in a statement. */
final class IncomingTallies {

  private static final String ALIAS = "incoming";

  static final Field<String> COUPON_ID = field(name(ALIAS, "coupon_id"), SQLDataType.CLOB);
  static final Field<Instant> BEGINS_AT = field(name(ALIAS, "begins_at"), SQLDataType.INSTANT);
  static final Field<Integer> SECONDS = field(name(ALIAS, "seconds"), SQLDataType.INTEGER);

  /** In the order of their kinds. */
  static final List<Field<Long>> COUNTS =
      Arrays.stream(AnswerKind.values())
          .map(kind -> kind.name().toLowerCase(Locale.ROOT))
          .map(column -> field(name(ALIAS, column), SQLDataType.BIGINT))
          .toList();

  private static final Field<String> LATENCIES_AS_TEXT =
      field(name(ALIAS, "latencies"), SQLDataType.CLOB);

  /** Passed as text: {@code unnest} would take arrays of arrays apart down to their elements. */
  static final Field<Long[]> LATENCIES =
      LATENCIES_AS_TEXT.cast(SQLDataType.BIGINT.getArrayDataType());

  private IncomingTallies() {}

  static Table<Record> of(List<ClaimTally> tallies) {
    var columns =
        Stream.concat(
            Stream.of(
                column(tallies, SQLDataType.CLOB, String[]::new, tally -> tally.couponId().value()),
                column(tallies, SQLDataType.INSTANT, Instant[]::new, ClaimTally::from),
                column(
                    tallies,
                    SQLDataType.INTEGER,
                    Integer[]::new,
                    tally -> tally.length().seconds()),
                column(tallies, SQLDataType.CLOB, String[]::new, IncomingTallies::latencies)),
            Arrays.stream(AnswerKind.values())
                .map(kind ->
                    column(
                        tallies,
                        SQLDataType.BIGINT,
                        Long[]::new,
                        tally -> tally.answers().of(kind))));
    return table("unnest({0})", list(columns.toList()))
        .as(
            ALIAS,
            Stream.concat(
                    Stream.of(COUPON_ID, BEGINS_AT, SECONDS, LATENCIES_AS_TEXT), COUNTS.stream())
                .map(Field::getName)
                .toArray(String[]::new));
  }

  private static String latencies(ClaimTally tally) {
    return tally.latencies().counts().stream().map(String::valueOf).collect(joining(",", "{", "}"));
  }
}
