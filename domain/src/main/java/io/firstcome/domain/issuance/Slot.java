package io.firstcome.domain.issuance;

/**
 * One piece of a coupon's stock: 1 to the coupon's total, in the order in which claims were taken.
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
