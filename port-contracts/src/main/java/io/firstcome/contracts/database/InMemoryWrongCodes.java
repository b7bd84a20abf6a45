package io.firstcome.contracts.database;

import io.firstcome.domain.port.WrongCodes;
import io.firstcome.domain.shop.CodeSource;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
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
  public Map<CodeSource, Count> find(Collection<CodeSource> sources) {
    return database.transaction(() -> {
      var counts = new HashMap<CodeSource, Count>();
      for (var source : sources) {
        var count = tables.wrongCodes.get(source);
        if (count != null) {
          counts.put(source, count);
        }
      }
      return counts;
    });
  }

  @Override
  public Map<CodeSource, Count> add(Collection<CodeSource> sources, Instant now, Duration window) {
    return database.transaction(() -> {
      var counts = new HashMap<CodeSource, Count>();
      for (var source : sources) {
        counts.put(source, next(tables.wrongCodes.get(source), now, window));
      }
      tables.wrongCodes.putAll(counts);
      return counts;
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
