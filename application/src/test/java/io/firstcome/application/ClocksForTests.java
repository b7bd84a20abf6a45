package io.firstcome.application;

import io.firstcome.application.server.CompareClocks;
import io.firstcome.domain.observation.IssuanceObserver;
import io.firstcome.domain.port.DatabaseClock;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;

/** Comparisons of clocks that a test controls. */
public final class ClocksForTests {

  private ClocksForTests() {}

  /** A comparison in which database and instance have the same clock. */
  public static CompareClocks same(InstantSource clock) {
    return of(clock, clock);
  }

  public static CompareClocks of(InstantSource database, InstantSource own) {
    return new CompareClocks(databaseClock(database), own, List.of(), IssuanceObserver.silent());
  }

  public static DatabaseClock databaseClock(InstantSource clock) {
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
