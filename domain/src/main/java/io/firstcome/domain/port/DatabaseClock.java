package io.firstcome.domain.port;

import java.time.Instant;
import java.time.InstantSource;

/**
 * The database's clock, as this instance estimates it: the clock of validity, holds and expiry. It
 * is asked again and again, and carried on by the monotonic clock of the process in between and
 * while the database is away.
 */
public interface DatabaseClock extends InstantSource {

  /**
   * Asks the database what time it is.
   *
   * @throws DatabaseUnavailableException if it did not answer; the estimate goes on
   */
  void follow();

  /**
   * What the database's clock says now. Asks the database where that was never done.
   *
   * @throws DatabaseUnavailableException if it never answered
   */
  @Override
  Instant instant();
}
