package io.firstcome.contracts.database;

import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.port.WrongCodes;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** {@link WrongCodes} in memory. */
final class InMemoryWrongCodes implements WrongCodes {

  private final InMemoryDatabase database;
  private final InMemoryTables tables;

  InMemoryWrongCodes(InMemoryDatabase database, InMemoryTables tables) {
    this.database = database;
    this.tables = tables;
  }

  @Override
  public Optional<Count> find(UserId caller) {
    return database.transaction(() -> Optional.ofNullable(tables.wrongCodes.get(caller)));
  }

  @Override
  public Count add(UserId caller, Instant now, Duration window) {
    return database.transaction(() -> {
      var count = next(tables.wrongCodes.get(caller), now, window);
      tables.wrongCodes.put(caller, count);
      return count;
    });
  }

  private static Count next(@Nullable Count before, Instant now, Duration window) {
    return before == null || !now.isBefore(before.since().plus(window))
        ? new Count(now, 1)
        : new Count(before.since(), before.number() + 1);
  }
}
