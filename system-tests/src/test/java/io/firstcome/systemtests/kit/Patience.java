package io.firstcome.systemtests.kit;

import java.time.Duration;

/**
 * How long a test waits at most for what other processes do in their own time.
 *
 * <p>Nearly all of it is for a machine that is slow or busy. Where a test is expected to fail, as
 * with a guard removed, the system property {@value #SECONDS_MAX} shortens every wait to so many
 * seconds; without it each wait has the limit that the test gives it.
 */
final class Patience {

  private static final String SECONDS_MAX = "firstcome.patience";

  private static final Duration MAX =
      Duration.ofSeconds(Long.getLong(SECONDS_MAX, Duration.ofDays(1).toSeconds()));

  private Patience() {}

  /** The limit, or what the property says if that is shorter. */
  static Duration within(Duration limit) {
    return limit.compareTo(MAX) < 0 ? limit : MAX;
  }
}
