package io.firstcome.domain.audit;

/** The id of one audit entry. Later entries have higher ids. */
public record AuditEntryId(long value) implements Comparable<AuditEntryId> {

  public AuditEntryId {
    if (value < 1) {
      throw new IllegalArgumentException("auditEntryId must be positive: " + value);
    }
  }

  @Override
  public int compareTo(AuditEntryId other) {
    return Long.compare(value, other.value);
  }

  @Override
  public String toString() {
    return Long.toString(value);
  }
}
