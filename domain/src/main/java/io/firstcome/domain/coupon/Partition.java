package io.firstcome.domain.coupon;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;
import java.util.zip.CRC32;

/** A fixed share of all coupons, whose stock is on one server and is recovered as one. */
public record Partition(int number) implements Comparable<Partition> {

  /** The maximum number of partitions of a deployment; a Redis Cluster does not need more. */
  public static final int MAX_PARTITIONS = 1_024;

  public Partition {
    if (number < 0 || number >= MAX_PARTITIONS) {
      throw new IllegalArgumentException(
          "partition must be 0 to " + (MAX_PARTITIONS - 1) + ": " + number);
    }
  }

  /** The partition of a new coupon among {@code count}: CRC-32 of its id, modulo the count. */
  public static Partition forNew(CouponId couponId, int count) {
    var crc = new CRC32();
    crc.update(couponId.value().getBytes(StandardCharsets.US_ASCII));
    return new Partition((int) (crc.getValue() % count));
  }

  /** All partitions of a deployment that has {@code count}. */
  public static List<Partition> all(int count) {
    if (count < 1 || count > MAX_PARTITIONS) {
      throw new IllegalArgumentException(
          "partitions must be 1 to " + MAX_PARTITIONS + ": " + count);
    }
    return IntStream.range(0, count).mapToObj(Partition::new).toList();
  }

  @Override
  public int compareTo(Partition other) {
    return Integer.compare(number, other.number);
  }

  @Override
  public String toString() {
    return Integer.toString(number);
  }
}
