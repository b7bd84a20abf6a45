package io.firstcome.application;

import io.firstcome.domain.port.DatabaseClock;
import io.firstcome.domain.port.IssuanceObserver;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;

/** Comparisons of clocks that stand in for those of servers. */
final class ClocksForTests {

  private ClocksForTests() {}

  /** One clock for the database and the instance. */
  static CompareClocks same(InstantSource clock) {
    return of(clock, clock);
  }

  static CompareClocks of(InstantSource database, InstantSource own) {
    return new CompareClocks(databaseClock(database), own, List.of(), IssuanceObserver.silent());
  }

  static DatabaseClock databaseClock(InstantSource clock) {
    return new DatabaseClock() {
      @Override
      public void follow() {}

      @Override
      public Instant instant() {
        return clock.instant();
      }
    };
  }
}
