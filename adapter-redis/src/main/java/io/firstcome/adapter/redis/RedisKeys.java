package io.firstcome.adapter.redis;

import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.issuance.StockAddress;
import java.util.List;

/**
 * The keys in Redis. All keys of a partition have its number as hash tag, so that a script uses one
 * hash slot of a Redis Cluster. Coupon ids are validated and contain no brace or colon.
 */
final class RedisKeys {

  private RedisKeys() {}

  static String fence(Partition partition) {
    return prefix(partition) + "fence";
  }

  static String handoff(Partition partition) {
    return prefix(partition) + "handoff";
  }

  /** Coupons that were archived in the epoch of the fence. */
  static String removed(Partition partition) {
    return prefix(partition) + "removed";
  }

  /**
   * The last archived coupon cleared since the recovery; the key is missing once all are cleared.
   */
  static String clearing(Partition partition) {
    return prefix(partition) + "clearing";
  }

  static String stock(StockAddress coupon) {
    return coupon(coupon.partition(), coupon.couponId()) + ":stock";
  }

  static String ledger(StockAddress coupon) {
    return coupon(coupon.partition(), coupon.couponId()) + ":ledger";
  }

  static String returned(StockAddress coupon) {
    return coupon(coupon.partition(), coupon.couponId()) + ":returned";
  }

  static String generations(StockAddress coupon) {
    return coupon(coupon.partition(), coupon.couponId()) + ":generation";
  }

  /** The filter of the users in the ledger. */
  static String filter(StockAddress coupon) {
    return coupon(coupon.partition(), coupon.couponId()) + ":filter";
  }

  /** Users in the ledger who are not in the filter. */
  static String unfiltered(StockAddress coupon) {
    return coupon(coupon.partition(), coupon.couponId()) + ":unfiltered";
  }

  /** The waiting room. */
  static String room(StockAddress coupon) {
    return coupon(coupon.partition(), coupon.couponId()) + ":room";
  }

  /** The tickets of users in the waiting room. */
  static String tickets(StockAddress coupon) {
    return coupon(coupon.partition(), coupon.couponId()) + ":tickets";
  }

  /** The beginning of the keys with the users of a waiting room in the order of their tickets. */
  static String queue(StockAddress coupon) {
    return coupon(coupon.partition(), coupon.couponId()) + ":queue";
  }

  /**
   * All keys that belong to one coupon, in the order that {@code unlink_coupons} of the prelude
   * needs.
   */
  static List<String> all(StockAddress coupon) {
    return List.of(
        stock(coupon),
        ledger(coupon),
        returned(coupon),
        generations(coupon),
        filter(coupon),
        unfiltered(coupon),
        room(coupon),
        tickets(coupon),
        queue(coupon));
  }

  private static String coupon(Partition partition, CouponId couponId) {
    return prefix(partition) + "coupon:" + couponId;
  }

  private static String prefix(Partition partition) {
    return "firstcome:{" + partition.number() + "}:";
  }
}
