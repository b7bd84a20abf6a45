package io.firstcome.domain.observation;

import java.time.Duration;

/** Observations of background work, and of the servers that an instance uses. */
public sealed interface OperationObservation extends Observation {

  /**
   * A round of background work failed and will be retried.
   *
   * @param round the name of the work, one of a fixed set
   * @param cause may be an {@link Error}, which does not end the work either
   */
  record RoundFailed(String round, Throwable cause) implements OperationObservation {}

  /** Rows whose retention is over were exported and removed from the database. */
  record RowsRemoved(int rows) implements OperationObservation {}

  /** Scripts of this release were missing on the stock's server and were loaded. */
  record ScriptsLoaded() implements OperationObservation {}

  /**
   * A clock differs from the database's by too much, and did not when it was last compared.
   *
   * @param ahead of the database's clock; negative if it is behind
   */
  record ClockDiffers(String clock, Duration ahead) implements OperationObservation {}

  /** A clock that was reported agrees with the database's again. */
  record ClockAgrees(String clock) implements OperationObservation {}

  /** A server setting weakens a promise, and did not when it was last read. */
  record WeaknessFound(Weakness weakness) implements OperationObservation {}

  /** A reported weakness is gone. */
  record WeaknessGone(Weakness weakness) implements OperationObservation {}
}
