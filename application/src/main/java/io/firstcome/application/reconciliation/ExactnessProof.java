package io.firstcome.application.reconciliation;

import io.firstcome.domain.reconciliation.Discrepancy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * The result of a comparison of stock, log and database of one coupon.
 *
 * @param total slots of the coupon
 * @param slotsUsed slots with an owner in the ledger or a row
 * @param free slots that can still be claimed; of an archived coupon there are none
 * @param unrecorded accepted claims that are not recorded yet
 * @param missing claims that are in the ledger and in neither log nor database
 * @param extra rows that the ledger lacks, or has with another slot or another user
 * @param lost slots that have no owner and cannot be claimed
 * @param duplicateUsers users with more than one row
 * @param oldestUnrecorded the age of the oldest unrecorded claim, by the stock's clock; zero if
 *     there is none
 * @param removed user coupons that were exported and removed from the database after their
 *     retention; their slots are not counted as used
 * @param handoffDepth entries in the log of the coupon's partition; 0 if the log is not read
 * @param discrepancies at most {@link ComparisonLimits#discrepanciesNamed()} of them
 */
public record ExactnessProof(
    int total,
    int slotsUsed,
    int free,
    long unrecorded,
    long missing,
    long extra,
    long lost,
    long duplicateUsers,
    Duration oldestUnrecorded,
    int removed,
    long handoffDepth,
    List<Discrepancy> discrepancies,
    Instant checkedAt) {

  public ExactnessProof {
    discrepancies = List.copyOf(discrepancies);
  }

  /**
   * Whether every allocated slot is recorded once, for its user, and the stock has the terms of the
   * database.
   */
  public boolean exact() {
    return unrecorded == 0 && agrees();
  }

  /** Whether nothing is wrong, though some claims may not be recorded yet. */
  public boolean agrees() {
    return missing == 0
        && extra == 0
        && lost == 0
        && duplicateUsers == 0
        && discrepancies.stream().noneMatch(Discrepancy.OtherTerms.class::isInstance);
  }
}
