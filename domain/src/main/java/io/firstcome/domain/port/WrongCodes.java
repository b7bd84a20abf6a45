package io.firstcome.domain.port;

import io.firstcome.domain.shop.CodeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;

/**
 * How many wrong coupon codes came from each source, counted by all instances together. Failures
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

  /** The last counts of the sources that have one; their windows may be over. */
  Map<CodeSource, Count> find(Collection<CodeSource> sources);

  /**
   * Counts one more for each source, in its open window or in a new one. Concurrent calls are all
   * counted.
   *
   * @param window its duration: it is over at {@code since + window}
   * @return the counts including this one
   */
  Map<CodeSource, Count> add(Collection<CodeSource> sources, Instant now, Duration window);

  /**
   * Deletes counts whose window is over by the clock of the database, oldest first.
   *
   * @param max counts
   * @return how many were deleted
   */
  int forget(Duration window, int max);
}
