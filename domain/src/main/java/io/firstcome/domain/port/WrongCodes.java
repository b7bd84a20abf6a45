package io.firstcome.domain.port;

import io.firstcome.domain.issuance.UserId;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * How many wrong coupon codes each caller has tried, counted by all instances together. Failures
 * are {@link DatabaseUnavailableException}s.
 */
public interface WrongCodes {

  /**
   * The wrong codes in one window of time.
   *
   * @param since the time of the first one, when the window begins
   * @param number 1 or more
   */
  record Count(Instant since, int number) {

    public Count {
      if (number < 1) {
        throw new IllegalArgumentException("number must be positive: " + number);
      }
    }
  }

  /** The last count of the caller; its window may be over. */
  Optional<Count> find(UserId caller);

  /**
   * Counts one more, in the open window or in a new one. Concurrent calls are all counted.
   *
   * @param window its duration: it is over at {@code since + window}
   * @return the count including this one
   */
  Count add(UserId caller, Instant now, Duration window);

  /**
   * Deletes counts whose window is over by the clock of the database, oldest first.
   *
   * @param max counts
   * @return how many were deleted
   */
  int forget(Duration window, int max);
}
