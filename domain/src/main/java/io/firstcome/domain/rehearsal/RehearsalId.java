package io.firstcome.domain.rehearsal;

/** The id of one rehearsal. Later ones have higher ids. */
public record RehearsalId(long value) {

  public RehearsalId {
    if (value < 1) {
      throw new IllegalArgumentException("rehearsalId must be positive: " + value);
    }
  }

  @Override
  public String toString() {
    return Long.toString(value);
  }
}
