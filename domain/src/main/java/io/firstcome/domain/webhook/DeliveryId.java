package io.firstcome.domain.webhook;

/** The number of a delivery, from 1. Deliveries of one lane are attempted in this order. */
public record DeliveryId(long number) implements Comparable<DeliveryId> {

  public DeliveryId {
    if (number < 1) {
      throw new IllegalArgumentException("the number of a delivery must be positive: " + number);
    }
  }

  @Override
  public int compareTo(DeliveryId other) {
    return Long.compare(number, other.number);
  }

  @Override
  public String toString() {
    return Long.toString(number);
  }
}
