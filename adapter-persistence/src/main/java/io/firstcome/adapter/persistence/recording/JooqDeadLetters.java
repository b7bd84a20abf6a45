package io.firstcome.adapter.persistence.recording;

import static io.firstcome.adapter.persistence.generated.Tables.DEAD_LETTER;
import static org.jooq.impl.DSL.condition;
import static org.jooq.impl.DSL.excluded;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.selectOne;
import static org.jooq.impl.DSL.val;

import io.firstcome.adapter.persistence.session.Database;
import io.firstcome.domain.handoff.DeadLetter;
import io.firstcome.domain.handoff.DeadLetterId;
import io.firstcome.domain.port.DeadLetters;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jspecify.annotations.Nullable;

/** {@link DeadLetters} in PostgreSQL. */
public final class JooqDeadLetters implements DeadLetters {

  private final Database database;

  public JooqDeadLetters(Database database) {
    this.database = database;
  }

  /**
   * Adds in the order of content, so that concurrent transactions with the same letters lock them
   * in the same order.
   */
  @Override
  public void add(List<DeadLetter.Draft> letters, Instant now) {
    var rows =
        letters.stream()
            .map(draft -> DeadLetterRows.toRow(draft, now))
            .sorted(DeadLetterRows.ORDER)
            .toList();
    database.transaction(dsl -> {
      rows.forEach(row ->
          dsl.insertInto(DEAD_LETTER)
              .set(row)
              .onConflict(DEAD_LETTER.CONTENT_SHA256)
              .doUpdate()
              .set(DEAD_LETTER.REASON, excluded(DEAD_LETTER.REASON))
              .set(DEAD_LETTER.ATTEMPTS, DEAD_LETTER.ATTEMPTS.plus(1))
              .set(DEAD_LETTER.LAST_TRIED_AT, excluded(DEAD_LETTER.LAST_TRIED_AT))
              .execute());
      return rows.size();
    });
  }

  @Override
  public List<DeadLetter> page(@Nullable DeadLetterId after, int max) {
    return database.read(dsl ->
        dsl.selectFrom(DEAD_LETTER)
            .where(DEAD_LETTER.DEAD_LETTER_ID.gt(after == null ? 0 : after.value()))
            .orderBy(DEAD_LETTER.DEAD_LETTER_ID)
            .limit(max)
            .fetch(DeadLetterRows::fromRow));
  }

  @Override
  public int count(int max) {
    return database.read(dsl -> dsl.fetchCount(selectOne().from(DEAD_LETTER).limit(max)));
  }

  @Override
  public Optional<DeadLetter> find(DeadLetterId id) {
    return database.read(
        dsl -> dsl.selectFrom(DEAD_LETTER).where(is(id)).fetchOptional(DeadLetterRows::fromRow));
  }

  @Override
  public Optional<DeadLetter> begin(DeadLetterId id, Instant now) {
    return database.statement(dsl -> begin(dsl, is(id), now));
  }

  @Override
  public Optional<DeadLetter> beginDue(Instant now, Duration pause, int maxAttempts) {
    return database.statement(dsl ->
        begin(
            dsl,
            DEAD_LETTER.DEAD_LETTER_ID.eq(
                select(DEAD_LETTER.DEAD_LETTER_ID)
                    .from(DEAD_LETTER)
                    .where(DEAD_LETTER.ATTEMPTS.lt(maxAttempts))
                    .and(isDue(now, pause))
                    .orderBy(DEAD_LETTER.LAST_TRIED_AT)
                    .limit(1)
                    .forUpdate()
                    .skipLocked()),
            now));
  }

  private static Optional<DeadLetter> begin(DSLContext dsl, Condition which, Instant now) {
    return dsl.update(DEAD_LETTER)
        .set(DEAD_LETTER.ATTEMPTS, DEAD_LETTER.ATTEMPTS.plus(1))
        .set(DEAD_LETTER.LAST_TRIED_AT, now)
        .where(which)
        .returning()
        .fetchOptional(DeadLetterRows::fromRow);
  }

  /**
   * The pause doubles with each attempt. The exponent is bounded because intervals are, and
   * operators can retry a dead letter any number of times.
   */
  private static Condition isDue(Instant now, Duration pause) {
    return condition(
        "{0} + {1} * power(2, least({2}, 30) - 1) * interval '1 millisecond' <= {3}",
        DEAD_LETTER.LAST_TRIED_AT, val(pause.toMillis()), DEAD_LETTER.ATTEMPTS, val(now));
  }

  @Override
  public void failed(DeadLetterId id, String reason) {
    var _ =
        database.statement(
            dsl -> dsl.update(DEAD_LETTER).set(DEAD_LETTER.REASON, reason).where(is(id)).execute());
  }

  @Override
  public void remove(DeadLetterId id) {
    var _ = database.statement(dsl -> dsl.deleteFrom(DEAD_LETTER).where(is(id)).execute());
  }

  private static Condition is(DeadLetterId id) {
    return DEAD_LETTER.DEAD_LETTER_ID.eq(id.value());
  }
}
