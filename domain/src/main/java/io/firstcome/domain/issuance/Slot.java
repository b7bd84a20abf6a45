package io.firstcome.domain.issuance;

/**
 * The unit of a coupon's stock: a number from 1 to the coupon's total, allocated in the order of
 * claims.
 */
public record Slot(int number) implements Comparable<Slot> {

  public Slot {
    if (number < 1) {
      throw new IllegalArgumentException("slot must be positive: " + number);
    }
  }

  @Override
  public int compareTo(Slot other) {
    return Integer.compare(number, other.number);
  }

  @Override
  public String toString() {
    return Integer.toString(number);
  }
}
