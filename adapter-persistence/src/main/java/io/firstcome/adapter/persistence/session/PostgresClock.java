package io.firstcome.adapter.persistence.session;

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
 * <p>The estimate ignores a brief jump of PostgreSQL's clock, so that no hold ends because of it.
 * The machine's own wall clock is only a witness: if it agrees with a reading that looks like a
 * jump, this process was suspended, and the reading is used at once.
 */
public final class PostgresClock implements DatabaseClock {

  private final Database database;
  private final InstantSource machine;
  private final AtomicReference<ClockEstimate> estimate = new AtomicReference<>(ClockEstimate.NONE);

  public PostgresClock(Database database) {
    this(database, InstantSource.system());
  }

  public PostgresClock(Database database, InstantSource machine) {
    this.database = database;
    this.machine = machine;
  }

  @Override
  public void follow() {
    var reading = database.read(dsl -> dsl.connectionResult(PostgresClock::ask));
    estimate.updateAndGet(last -> last.after(reading, last.isKnown() ? machine.instant() : null));
  }

  /** Measures only the round trip, without the wait for a connection of the pool. */
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
