package io.firstcome.adapter.persistence.usercoupon;

import static io.firstcome.adapter.persistence.generated.Tables.WRONG_CODE;
import static java.util.stream.Collectors.toMap;
import static org.jooq.impl.DSL.condition;
import static org.jooq.impl.DSL.excluded;
import static org.jooq.impl.DSL.row;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.val;
import static org.jooq.impl.DSL.when;

import io.firstcome.adapter.persistence.generated.tables.records.WrongCodeRecord;
import io.firstcome.adapter.persistence.session.Columns;
import io.firstcome.adapter.persistence.session.Database;
import io.firstcome.domain.port.WrongCodes;
import io.firstcome.domain.shop.CodeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** {@link WrongCodes} in PostgreSQL. */
public final class JooqWrongCodes implements WrongCodes {

  private final Database database;

  public JooqWrongCodes(Database database) {
    this.database = database;
  }

  @Override
  public Map<CodeSource, Count> find(Collection<CodeSource> sources) {
    return bySource(
        sources,
        database.read(dsl ->
            dsl.selectFrom(WRONG_CODE)
                .where(Columns.isOneOf(WRONG_CODE.SOURCE, sources.stream().map(CodeSource::key)))
                .fetch()));
  }

  /** Sorted, so that concurrent calls for the same sources do not deadlock. */
  @Override
  public Map<CodeSource, Count> add(Collection<CodeSource> sources, Instant now, Duration window) {
    var isOver = WRONG_CODE.SINCE.le(now.minus(window));
    var keys = sources.stream().map(CodeSource::key).sorted().toList();
    return bySource(
        sources,
        database.statement(dsl ->
            dsl.insertInto(WRONG_CODE, WRONG_CODE.SOURCE, WRONG_CODE.SINCE, WRONG_CODE.COUNT)
                .valuesOfRows(keys.stream().map(key -> row(key, now, 1)).toList())
                .onConflict(WRONG_CODE.SOURCE)
                .doUpdate()
                .set(
                    WRONG_CODE.SINCE,
                    when(isOver, excluded(WRONG_CODE.SINCE)).otherwise(WRONG_CODE.SINCE))
                .set(
                    WRONG_CODE.COUNT,
                    when(isOver, excluded(WRONG_CODE.COUNT)).otherwise(WRONG_CODE.COUNT.plus(1)))
                .returning()
                .fetch()));
  }

  private static Map<CodeSource, Count> bySource(
      Collection<CodeSource> sources, List<WrongCodeRecord> rows) {
    var byKey = sources.stream().collect(toMap(CodeSource::key, Function.identity()));
    return rows.stream()
        .collect(
            toMap(
                row -> byKey.get(row.getSource()),
                row -> new Count(row.getSince(), row.getCount())));
  }

  /** Skips rows that are being incremented, because their window may restart. */
  @Override
  public int forget(Duration window, int max) {
    var isOver =
        condition(
            "{0} <= now() - {1} * interval '1 millisecond'",
            WRONG_CODE.SINCE, val(window.toMillis()));
    return database.statement(dsl ->
        dsl.deleteFrom(WRONG_CODE)
            .where(
                WRONG_CODE.SOURCE.in(
                    select(WRONG_CODE.SOURCE)
                        .from(WRONG_CODE)
                        .where(isOver)
                        .orderBy(WRONG_CODE.SINCE)
                        .limit(max)
                        .forUpdate()
                        .skipLocked()))
            .execute());
  }
}
