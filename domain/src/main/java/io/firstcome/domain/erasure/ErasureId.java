package io.firstcome.domain.erasure;

/** The number of an erasure, from 1, in the order of the requests. */
public record ErasureId(long number) implements Comparable<ErasureId> {

  public ErasureId {
    if (number < 1) {
      throw new IllegalArgumentException("the number of an erasure must be positive: " + number);
    }
  }

  @Override
  public int compareTo(ErasureId other) {
    return Long.compare(number, other.number);
  }

  @Override
  public String toString() {
    return Long.toString(number);
  }
}
