package io.firstcome.application.reconciliation;

import java.time.Duration;

/**
 * The limits of comparisons of stock, log and database.
 *
 * @param comparisonPage rows or users that a comparison reads at a time; each page occupies the
 *     stock for about a millisecond
 * @param rowPage rows of an archived coupon that are read at a time
 * @param logPage log entries that are read together
 * @param stuckAfter how long a claim may wait in the log before it is reported as stuck
 * @param discrepanciesNamed how many discrepancies of a coupon one comparison names; it counts all
 * @param concurrentProofs proofs that operators may have under way in one instance; each needs
 *     about 150 bytes of memory for a claim that is not recorded yet
 * @param proofKept how long a finished proof is kept for a caller that was answered with its
 *     progress
 */
public record ComparisonLimits(
    int comparisonPage,
    int rowPage,
    int logPage,
    Duration stuckAfter,
    int discrepanciesNamed,
    int concurrentProofs,
    Duration proofKept) {

  /** The values for production. */
  public static ComparisonLimits defaults() {
    return new ComparisonLimits(
        2_000, 1_000, 64, Duration.ofMinutes(5), 100, 2, Duration.ofSeconds(5));
  }
}
