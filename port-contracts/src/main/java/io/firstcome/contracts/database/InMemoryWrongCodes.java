package io.firstcome.contracts.database;

import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.port.WrongCodes;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.Map;
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

  @Override
  public int forget(Duration window, int max) {
    var before = InstantSource.system().instant().minus(window);
    return database.transaction(() -> {
      var over =
          tables.wrongCodes.entrySet().stream()
              .filter(entry -> !entry.getValue().since().isAfter(before))
              .sorted(Comparator.comparing(entry -> entry.getValue().since()))
              .limit(max)
              .map(Map.Entry::getKey)
              .toList();
      over.forEach(tables.wrongCodes::remove);
      return over.size();
    });
  }

  private static Count next(@Nullable Count before, Instant now, Duration window) {
    return before == null || !now.isBefore(before.since().plus(window))
        ? new Count(now, 1)
        : new Count(before.since(), before.number() + 1);
  }
}
