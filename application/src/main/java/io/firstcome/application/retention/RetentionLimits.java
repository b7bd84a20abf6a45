package io.firstcome.application.retention;

import java.time.Duration;

/**
 * The pace at which rows are removed.
 *
 * @param batch rows that are exported and removed in one transaction
 * @param pause after each transaction, so that a removal does not slow down claims
 * @param interval between two searches for coupons whose retention is over
 */
public record RetentionLimits(int batch, Duration pause, Duration interval) {

  /** The values for production: at most 2,000 rows a second. */
  public static RetentionLimits defaults() {
    return new RetentionLimits(500, Duration.ofMillis(250), Duration.ofMinutes(10));
  }
}
