package io.firstcome.adapter.persistence.usercoupon;

import static io.firstcome.adapter.persistence.generated.Tables.WRONG_CODE;
import static org.jooq.impl.DSL.condition;
import static org.jooq.impl.DSL.excluded;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.val;
import static org.jooq.impl.DSL.when;

import io.firstcome.adapter.persistence.generated.tables.records.WrongCodeRecord;
import io.firstcome.adapter.persistence.session.Database;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.port.WrongCodes;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** {@link WrongCodes} in PostgreSQL. */
public final class JooqWrongCodes implements WrongCodes {

  private final Database database;

  public JooqWrongCodes(Database database) {
    this.database = database;
  }

  @Override
  public Optional<Count> find(UserId caller) {
    return database.read(dsl ->
        dsl.selectFrom(WRONG_CODE)
            .where(WRONG_CODE.CALLER.eq(caller.value()))
            .fetchOptional(JooqWrongCodes::fromRow));
  }

  @Override
  public Count add(UserId caller, Instant now, Duration window) {
    var isOver = WRONG_CODE.SINCE.le(now.minus(window));
    return database.statement(dsl ->
        dsl.insertInto(WRONG_CODE)
            .set(WRONG_CODE.CALLER, caller.value())
            .set(WRONG_CODE.SINCE, now)
            .set(WRONG_CODE.COUNT, 1)
            .onConflict(WRONG_CODE.CALLER)
            .doUpdate()
            .set(
                WRONG_CODE.SINCE,
                when(isOver, excluded(WRONG_CODE.SINCE)).otherwise(WRONG_CODE.SINCE))
            .set(
                WRONG_CODE.COUNT,
                when(isOver, excluded(WRONG_CODE.COUNT)).otherwise(WRONG_CODE.COUNT.plus(1)))
            .returning()
            .fetchSingle(JooqWrongCodes::fromRow));
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
                WRONG_CODE.CALLER.in(
                    select(WRONG_CODE.CALLER)
                        .from(WRONG_CODE)
                        .where(isOver)
                        .orderBy(WRONG_CODE.SINCE)
                        .limit(max)
                        .forUpdate()
                        .skipLocked()))
            .execute());
  }

  private static Count fromRow(WrongCodeRecord row) {
    return new Count(row.getSince(), row.getCount());
  }
}
