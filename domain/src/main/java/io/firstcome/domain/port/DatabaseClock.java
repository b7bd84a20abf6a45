package io.firstcome.domain.port;

import java.time.Instant;
import java.time.InstantSource;

/**
 * The database's clock, as this instance estimates it: the clock of validity, holds and expiry. It
 * is read periodically. The monotonic clock of the process advances it in between, and while the
 * database is not reachable.
 */
public interface DatabaseClock extends InstantSource {

  /**
   * Reads the database's clock.
   *
   * @throws DatabaseUnavailableException if it did not answer; the estimate continues
   */
  void follow();

  /**
   * The estimated time of the database's clock. Reads that clock first if it was never read.
   *
   * @throws DatabaseUnavailableException if it never answered
   */
  @Override
  Instant instant();
}
