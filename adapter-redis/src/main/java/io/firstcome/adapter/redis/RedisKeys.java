package io.firstcome.adapter.redis;

import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.issuance.StockAddress;
import java.util.List;

/**
 * Makes every key. All keys of a partition share its number as hash tag, so that a script touches
 * one slot of a Redis Cluster. Coupon ids are checked when they are made and can hold no brace or
 * colon.
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

  /** The archived coupon up to which they were cleared since the recovery; missing: all were. */
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

  /** Everything that there is of a coupon alone. */
  static List<String> all(StockAddress coupon) {
    return List.of(stock(coupon), ledger(coupon), returned(coupon), generations(coupon));
  }

  private static String coupon(Partition partition, CouponId couponId) {
    return prefix(partition) + "coupon:" + couponId;
  }

  private static String prefix(Partition partition) {
    return "firstcome:{" + partition.number() + "}:";
  }
}
