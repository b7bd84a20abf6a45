package io.firstcome.domain.instance;

import java.time.Duration;

/**
 * The latest report of an instance.
 *
 * @param age how long ago it was stored, by the clock of the database
 */
public record SeenInstance(InstanceReport report, Duration age) {

  /** Instances report about once a second. */
  private static final Duration SILENT = Duration.ofSeconds(5);

  /** Whether it has not reported lately: it was stopped, or does not reach the database. */
  public boolean isSilent() {
    return age.compareTo(SILENT) > 0;
  }
}
