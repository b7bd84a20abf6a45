package io.firstcome.contracts.database;

import io.firstcome.domain.handoff.DeadLetter;
import io.firstcome.domain.handoff.DeadLetterId;
import io.firstcome.domain.port.DeadLetters;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** {@link DeadLetters} in memory. */
final class InMemoryDeadLetters implements DeadLetters {

  /** Beyond the life of any dead letter, and too few to overflow. */
  private static final int MAX_DOUBLINGS = 29;

  private final InMemoryDatabase database;
  private final InMemoryTables tables;

  InMemoryDeadLetters(InMemoryDatabase database, InMemoryTables tables) {
    this.database = database;
    this.tables = tables;
  }

  @Override
  public void add(List<DeadLetter.Draft> letters, Instant now) {
    database.transaction(() -> {
      letters.forEach(draft -> put(added(draft, now)));
      return true;
    });
  }

  private DeadLetter added(DeadLetter.Draft draft, Instant now) {
    return tables.deadLetters.values().stream()
        .filter(letter -> letter.content().equals(draft.content()))
        .findFirst()
        .map(letter -> triedAgain(letter, draft.reason(), now))
        .orElseGet(() -> {
          tables.lastDeadLetterId++;
          var id = new DeadLetterId(tables.lastDeadLetterId);
          return new DeadLetter(id, draft.content(), draft.reason(), 1, now, now);
        });
  }

  @Override
  public List<DeadLetter> page(@Nullable DeadLetterId after, int max) {
    return database.transaction(() ->
        tables.deadLetters.values().stream()
            .filter(letter -> after == null || letter.id().compareTo(after) > 0)
            .limit(max)
            .toList());
  }

  @Override
  public int count(int max) {
    return database.transaction(() -> Math.min(max, tables.deadLetters.size()));
  }

  @Override
  public Optional<DeadLetter> find(DeadLetterId id) {
    return database.transaction(() -> Optional.ofNullable(tables.deadLetters.get(id)));
  }

  @Override
  public Optional<DeadLetter> begin(DeadLetterId id, Instant now) {
    return database.transaction(() -> find(id).map(letter -> begun(letter, now)));
  }

  @Override
  public Optional<DeadLetter> beginDue(Instant now, Duration pause, int maxAttempts) {
    return database.transaction(() ->
        tables.deadLetters.values().stream()
            .filter(letter -> letter.attempts() < maxAttempts)
            .filter(letter -> !dueAt(letter, pause).isAfter(now))
            .min(Comparator.comparing(DeadLetter::lastTriedAt))
            .map(letter -> begun(letter, now)));
  }

  private static Instant dueAt(DeadLetter letter, Duration pause) {
    int doublings = Math.min(letter.attempts() - 1, MAX_DOUBLINGS);
    return letter.lastTriedAt().plus(pause.multipliedBy(1L << doublings));
  }

  @Override
  public void failed(DeadLetterId id, String reason) {
    database.transaction(() -> {
      find(id)
          .ifPresent(letter ->
              put(
                  new DeadLetter(
                      id,
                      letter.content(),
                      reason,
                      letter.attempts(),
                      letter.firstFailedAt(),
                      letter.lastTriedAt())));
      return true;
    });
  }

  @Override
  public void remove(DeadLetterId id) {
    database.transaction(() -> Optional.ofNullable(tables.deadLetters.remove(id)));
  }

  private DeadLetter begun(DeadLetter letter, Instant now) {
    return put(triedAgain(letter, letter.reason(), now));
  }

  private DeadLetter put(DeadLetter letter) {
    tables.deadLetters.put(letter.id(), letter);
    return letter;
  }

  private static DeadLetter triedAgain(DeadLetter letter, String reason, Instant now) {
    return new DeadLetter(
        letter.id(), letter.content(), reason, letter.attempts() + 1, letter.firstFailedAt(), now);
  }
}
