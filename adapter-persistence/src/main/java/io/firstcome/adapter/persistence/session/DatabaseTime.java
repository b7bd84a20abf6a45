package io.firstcome.adapter.persistence.session;

import static io.firstcome.adapter.persistence.generated.Tables.COUPON;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.greatest;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.when;

import io.firstcome.domain.clock.ClockEstimate;
import java.time.Instant;
import org.jooq.Field;
import org.jooq.impl.SQLDataType;

/** SQL expressions for the database's clock. */
public final class DatabaseTime {

  /** When the transaction began, to the millisecond: rows keep no finer times. */
  public static final Field<Instant> NOW =
      field("date_trunc('milliseconds', now())", SQLDataType.INSTANT);

  /** A subquery, which is evaluated once for a statement and not for each row. */
  private static final Field<Instant> LATEST =
      field(select(shifted("{0} + {1} * interval '1 second'", NOW)));

  private static final Field<Instant> FIRST = greatest(COUPON.OPENS_AT, COUPON.DEFINED_AT);

  private static final Field<Instant> EARLIEST = shifted("{0} - {1} * interval '1 second'", FIRST);

  private DatabaseTime() {}

  private static Field<Instant> shifted(String sql, Field<Instant> time) {
    return field(sql, SQLDataType.INSTANT, time, inline(ClockEstimate.MAX_DIFFERENCE.toSeconds()));
  }

  /**
   * The time at which a claim was accepted: the stock's time, limited to what the database's clock
   * allows. A claim cannot be accepted later than now, nor before its coupon was defined and
   * opened. A claim may have waited for its row for hours, so no other bound applies. If the
   * database's clock was set back to before the definition, the time of the definition is used.
   */
  public static Field<Instant> plausible(Field<Instant> acceptedAt) {
    return when(acceptedAt.gt(LATEST), greatest(NOW, COUPON.DEFINED_AT))
        .when(acceptedAt.lt(EARLIEST), FIRST)
        .otherwise(acceptedAt);
  }
}
