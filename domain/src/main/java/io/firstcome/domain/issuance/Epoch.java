package io.firstcome.domain.issuance;

/**
 * The generation of one partition's stock. A recovery starts a new one, and calls with an older one
 * are fenced. Zero is the epoch before the first recovery, in which no stock in Redis can issue
 * anything, and the epoch of every coupon whose stock is in PostgreSQL.
 */
public record Epoch(long number) implements Comparable<Epoch> {

  public static final Epoch NONE = new Epoch(0);

  public Epoch {
    if (number < 0) {
      throw new IllegalArgumentException("epoch must not be negative: " + number);
    }
  }

  public Epoch next() {
    return new Epoch(number + 1);
  }

  public boolean isAfter(Epoch other) {
    return number > other.number;
  }

  @Override
  public int compareTo(Epoch other) {
    return Long.compare(number, other.number);
  }

  @Override
  public String toString() {
    return Long.toString(number);
  }
}
