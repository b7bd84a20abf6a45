package io.firstcome.domain.handoff;

import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.issuance.Epoch;

/**
 * Identifies one entry of the hand-off log. The epoch is part of the identity: after lost writes, a
 * log can assign the same id again to other claims.
 *
 * @param entryId the log's id of the entry: 1 to 64 printable ASCII characters
 */
public record EntryReference(Partition partition, String entryId, Epoch epoch) {

  private static final int MAX_LENGTH = 64;

  public EntryReference {
    if (entryId.isEmpty() || entryId.length() > MAX_LENGTH) {
      throw new IllegalArgumentException("entryId must have 1 to " + MAX_LENGTH + " characters");
    }
    if (!entryId.chars().allMatch(c -> c > ' ' && c < 0x7f)) {
      throw new IllegalArgumentException("entryId must be of printable ASCII characters");
    }
  }
}
