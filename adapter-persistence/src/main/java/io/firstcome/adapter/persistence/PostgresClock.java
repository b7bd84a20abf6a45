package io.firstcome.adapter.persistence;

import io.firstcome.domain.clock.ClockEstimate;
import io.firstcome.domain.port.DatabaseClock;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.time.OffsetDateTime;
import java.util.concurrent.atomic.AtomicReference;

/**
 * PostgreSQL's clock as this instance estimates it.
 *
 * <p>A brief jump of PostgreSQL's clock is not followed, so no hold ends for it. The machine's own
 * wall clock only says when a jump need not be waited out: when it confirms what PostgreSQL says,
 * this process was suspended.
 */
final class PostgresClock implements DatabaseClock {

  private final Database database;
  private final InstantSource machine;
  private final AtomicReference<ClockEstimate> estimate = new AtomicReference<>(ClockEstimate.NONE);

  PostgresClock(Database database) {
    this(database, InstantSource.system());
  }

  PostgresClock(Database database, InstantSource machine) {
    this.database = database;
    this.machine = machine;
  }

  @Override
  public void follow() {
    var reading = database.read(dsl -> dsl.connectionResult(PostgresClock::ask));
    estimate.updateAndGet(last -> last.after(reading, last.isKnown() ? machine.instant() : null));
  }

  /** Only the round trip counts, and not the wait for a connection of the pool. */
  private static ClockEstimate.Reading ask(Connection connection) throws SQLException {
    try (var statement = connection.createStatement()) {
      long sent = System.nanoTime();
      try (var row = statement.executeQuery("SELECT clock_timestamp()")) {
        row.next();
        var time = row.getObject(1, OffsetDateTime.class).toInstant();
        return new ClockEstimate.Reading(time, sent, System.nanoTime());
      }
    }
  }

  @Override
  public Instant instant() {
    if (!estimate.get().isKnown()) {
      follow();
    }
    return estimate.get().at(System.nanoTime());
  }
}
