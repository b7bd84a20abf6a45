package io.firstcome.adapter.persistence.curve;

import static io.firstcome.adapter.persistence.generated.Tables.CLAIM_COUNT;
import static io.firstcome.adapter.persistence.generated.Tables.COUPON;
import static io.firstcome.adapter.persistence.generated.Tables.USER_COUPON;
import static java.util.stream.Collectors.toMap;
import static org.jooq.impl.DSL.count;
import static org.jooq.impl.DSL.deleteFrom;
import static org.jooq.impl.DSL.excluded;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.insertInto;
import static org.jooq.impl.DSL.max;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.row;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.sum;
import static org.jooq.impl.DSL.val;

import io.firstcome.adapter.persistence.coupon.CouponRows;
import io.firstcome.adapter.persistence.generated.tables.records.ClaimCountRecord;
import io.firstcome.adapter.persistence.session.Database;
import io.firstcome.adapter.persistence.usercoupon.UserCouponRows;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.curve.AnswerCounts;
import io.firstcome.domain.curve.AnswerKind;
import io.firstcome.domain.curve.ClaimTally;
import io.firstcome.domain.curve.ClaimTally.Length;
import io.firstcome.domain.latency.LatencyHistogram;
import io.firstcome.domain.port.IssuanceCurves;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.jooq.Condition;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.ResultQuery;
import org.jooq.TableField;
import org.jooq.impl.SQLDataType;

/** {@link IssuanceCurves} in PostgreSQL. */
public final class JooqIssuanceCurves implements IssuanceCurves {

  private static final String OLD = "old";
  private static final UUID MERGED = new UUID(0, 0);

  /** The columns with counts, in the order of their kinds. */
  private static final List<TableField<ClaimCountRecord, Long>> COUNTS =
      Arrays.stream(AnswerKind.values()).map(JooqIssuanceCurves::column).toList();

  private final Database database;
  private final UUID process;

  /**
   * @param process tells tallies of this process apart from those of others
   */
  public JooqIssuanceCurves(Database database, UUID process) {
    this.database = database;
    this.process = process;
  }

  private static TableField<ClaimCountRecord, Long> column(AnswerKind kind) {
    return switch (kind) {
      case ACCEPTED -> CLAIM_COUNT.ACCEPTED;
      case ALREADY_CLAIMED -> CLAIM_COUNT.ALREADY_CLAIMED;
      case SOLD_OUT -> CLAIM_COUNT.SOLD_OUT;
      case REFUSED -> CLAIM_COUNT.REFUSED;
      case RECOVERING -> CLAIM_COUNT.RECOVERING;
      case OVERLOADED -> CLAIM_COUNT.OVERLOADED;
      case OUTCOME_UNKNOWN -> CLAIM_COUNT.OUTCOME_UNKNOWN;
    };
  }

  @Override
  public void add(List<ClaimTally> tallies) {
    if (!tallies.isEmpty()) {
      database.statement(dsl ->
          dsl.insertInto(CLAIM_COUNT, columns())
              .select(
                  select(values())
                      .from(IncomingTallies.of(tallies))
                      .join(COUPON)
                      .on(COUPON.COUPON_ID.eq(IncomingTallies.COUPON_ID))
                      .where(COUPON.REMOVAL_ENDED_AT.isNull()))
              .onConflictDoNothing()
              .execute());
    }
  }

  private static List<Field<?>> columns() {
    return Stream.concat(
            Stream.<Field<?>>of(
                CLAIM_COUNT.COUPON_NUMBER,
                CLAIM_COUNT.BEGINS_AT,
                CLAIM_COUNT.SECONDS,
                CLAIM_COUNT.COUNTED_BY,
                CLAIM_COUNT.LATENCIES),
            COUNTS.stream())
        .toList();
  }

  private List<Field<?>> values() {
    return Stream.concat(
            Stream.<Field<?>>of(
                COUPON.COUPON_NUMBER,
                IncomingTallies.BEGINS_AT,
                IncomingTallies.SECONDS,
                val(process),
                IncomingTallies.LATENCIES),
            IncomingTallies.COUNTS.stream())
        .toList();
  }

  @Override
  public Map<Instant, AnswerCounts> answers(
      CouponId couponId, Instant from, Instant to, Duration interval) {
    var at = beginOf(CLAIM_COUNT.BEGINS_AT, interval);
    return database.read(dsl ->
        dsl
            .select(at)
            .select(sums())
            .from(CLAIM_COUNT)
            .where(isOf(couponId, from, to))
            .groupBy(at)
            .fetch()
            .stream()
            .collect(toMap(row -> row.get(at), JooqIssuanceCurves::counts)));
  }

  private static Condition isOf(CouponId couponId, Instant from, Instant to) {
    return CLAIM_COUNT
        .COUPON_NUMBER
        .eq(CouponRows.numberOf(couponId))
        .and(CLAIM_COUNT.BEGINS_AT.ge(from))
        .and(CLAIM_COUNT.BEGINS_AT.lt(to));
  }

  @Override
  public LatencyHistogram latencies(CouponId couponId, Instant from, Instant to) {
    return database.read(dsl ->
        new LatencyHistogram(
            List.of(
                dsl.select(LatencyCounts.sumOf(CLAIM_COUNT.LATENCIES))
                    .from(CLAIM_COUNT)
                    .where(isOf(couponId, from, to))
                    .fetchSingle()
                    .value1())));
  }

  @Override
  public Map<Instant, Long> issued(CouponId couponId, Instant from, Instant to, Duration interval) {
    var at = beginOf(USER_COUPON.ISSUED_AT, interval);
    var number = count().cast(SQLDataType.BIGINT);
    return database.read(dsl ->
        dsl.select(at, number)
            .from(USER_COUPON)
            .where(UserCouponRows.isOf(couponId))
            .and(USER_COUPON.ISSUED_AT.ge(from))
            .and(USER_COUPON.ISSUED_AT.lt(to))
            .groupBy(at)
            .fetchMap(at, number));
  }

  @Override
  public Optional<Instant> allIssuedAt(CouponId couponId, int slots) {
    var last = max(USER_COUPON.ISSUED_AT);
    return database.read(dsl ->
        dsl.select(last)
            .from(USER_COUPON)
            .where(UserCouponRows.isOf(couponId))
            .and(USER_COUPON.GENERATION.eq(inline(1)))
            .having(count().ge(slots))
            .fetchOptional(last));
  }

  private static List<Field<BigDecimal>> sums() {
    return COUNTS.stream().map(column -> sum(column).as(column.getName())).toList();
  }

  private static AnswerCounts counts(Record row) {
    return AnswerCounts.of(kind -> row.get(column(kind).getName(), Long.class));
  }

  /** The begin of the interval that a time is in; the first interval begins in 1970. */
  private static Field<Instant> beginOf(Field<Instant> time, Duration interval) {
    return field(
        "date_bin(interval '1 second' * {0}, {1}, timestamptz 'epoch')",
        SQLDataType.INSTANT, inline(interval.toSeconds()), time);
  }

  /** Skips rows that another instance is merging. */
  @Override
  public int merge(Instant before, int max) {
    return database.statement(dsl -> {
      var old = name(OLD).as(delete(before, max));
      var minute = beginOf(ofOld(CLAIM_COUNT.BEGINS_AT), Duration.ofMinutes(1));
      var merged =
          name("merged")
              .as(
                  insertInto(CLAIM_COUNT, columns())
                      .select(
                          select(ofOld(CLAIM_COUNT.COUPON_NUMBER), minute)
                              .select(inline(Length.MINUTE.seconds()), val(MERGED))
                              .select(LatencyCounts.sumOf(ofOld(CLAIM_COUNT.LATENCIES)))
                              .select(COUNTS.stream().map(column -> sum(ofOld(column))).toList())
                              .from(old)
                              .groupBy(ofOld(CLAIM_COUNT.COUPON_NUMBER), minute)
                              // Two instances take their locks in the same order.
                              .orderBy(ofOld(CLAIM_COUNT.COUPON_NUMBER), minute))
                      .onConflict(
                          CLAIM_COUNT.COUPON_NUMBER,
                          CLAIM_COUNT.BEGINS_AT,
                          CLAIM_COUNT.SECONDS,
                          CLAIM_COUNT.COUNTED_BY)
                      .doUpdate()
                      .set(
                          COUNTS.stream()
                              .collect(
                                  toMap(column -> column, column -> column.plus(excluded(column)))))
                      .set(
                          CLAIM_COUNT.LATENCIES,
                          LatencyCounts.sumOf(
                              CLAIM_COUNT.LATENCIES, excluded(CLAIM_COUNT.LATENCIES)))
                      .returning());
      return dsl.with(old).with(merged).selectCount().from(old).fetchSingle().value1();
    });
  }

  private static <T> Field<T> ofOld(TableField<ClaimCountRecord, T> column) {
    return field(name(OLD, column.getName()), column.getDataType());
  }

  private static ResultQuery<ClaimCountRecord> delete(Instant before, int max) {
    return deleteFrom(CLAIM_COUNT)
        .where(CLAIM_COUNT.SECONDS.eq(inline(Length.SECOND.seconds())))
        .and(
            row(CLAIM_COUNT.COUPON_NUMBER, CLAIM_COUNT.BEGINS_AT, CLAIM_COUNT.COUNTED_BY)
                .in(
                    select(CLAIM_COUNT.COUPON_NUMBER, CLAIM_COUNT.BEGINS_AT, CLAIM_COUNT.COUNTED_BY)
                        .from(CLAIM_COUNT)
                        .where(CLAIM_COUNT.SECONDS.eq(inline(Length.SECOND.seconds())))
                        .and(CLAIM_COUNT.BEGINS_AT.lt(before))
                        .orderBy(CLAIM_COUNT.BEGINS_AT)
                        .limit(max)
                        .forUpdate()
                        .skipLocked()))
        .returning();
  }
}
