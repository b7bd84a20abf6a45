package io.firstcome.application;

import io.firstcome.domain.issuance.Discrepancy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * What stock, log and database of one coupon said when they were compared.
 *
 * @param total slots of the coupon
 * @param slotsUsed slots that somebody holds, by the ledger or a row
 * @param free slots that can still be claimed; of an archived coupon there are none
 * @param unrecorded claims on their way to the database
 * @param missing claims that the ledger has and neither log nor database
 * @param extra rows that the ledger lacks, gives another slot or another user
 * @param lost slots that nobody has and nobody can get
 * @param duplicateUsers users with more than one row
 * @param oldestUnrecorded how long the oldest of the unrecorded has been on its way, by the stock's
 *     clock; zero if none is
 * @param handoffDepth entries in the log of the coupon's partition; 0 where the log is not asked
 * @param discrepancies each by name, at most {@link ApplicationLimits#discrepanciesTold()} of them
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
    long handoffDepth,
    List<Discrepancy> discrepancies,
    Instant checkedAt) {

  public ExactnessProof {
    discrepancies = List.copyOf(discrepancies);
  }

  /**
   * Whether every slot given is recorded, once, for the user it was given to, and the stock has the
   * terms of the database.
   */
  public boolean exact() {
    return unrecorded == 0 && agrees();
  }

  /** Whether nothing is wrong, though claims may be on their way. */
  boolean agrees() {
    return missing == 0
        && extra == 0
        && lost == 0
        && duplicateUsers == 0
        && discrepancies.stream().noneMatch(Discrepancy.OtherTerms.class::isInstance);
  }
}
