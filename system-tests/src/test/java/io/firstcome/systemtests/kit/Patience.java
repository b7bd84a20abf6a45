package io.firstcome.systemtests.kit;

import java.time.Duration;

/**
 * The longest time that a test waits for other processes.
 *
 * <p>Most of each limit is for a slow or busy machine. Where a test is expected to fail, as with a
 * guard removed, the system property {@value #SECONDS_MAX} bounds every wait to that many seconds,
 * except for the start of a service, which succeeds without most guards too. Without the property
 * each wait has the test's limit.
 */
final class Patience {

  private static final String SECONDS_MAX = "firstcome.patience";

  private static final Duration MAX =
      Duration.ofSeconds(Long.getLong(SECONDS_MAX, Duration.ofDays(1).toSeconds()));

  private Patience() {}

  /** The limit, or the value of the property if that is shorter. */
  static Duration within(Duration limit) {
    return limit.compareTo(MAX) < 0 ? limit : MAX;
  }
}
