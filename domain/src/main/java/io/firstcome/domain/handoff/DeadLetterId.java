package io.firstcome.domain.handoff;

/** The id of one dead letter. Later letters have higher ids. */
public record DeadLetterId(long value) implements Comparable<DeadLetterId> {

  public DeadLetterId {
    if (value < 1) {
      throw new IllegalArgumentException("deadLetterId must be positive: " + value);
    }
  }

  @Override
  public int compareTo(DeadLetterId other) {
    return Long.compare(value, other.value);
  }

  @Override
  public String toString() {
    return Long.toString(value);
  }
}
