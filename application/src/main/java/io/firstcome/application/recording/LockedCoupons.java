package io.firstcome.application.recording;

import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.port.CouponRepository;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The coupons whose claims cannot be recorded because another database session holds a lock, as far
 * as this instance knows: {@link RecordAcceptedClaims} adds one when it could not record its
 * claims, and {@link SettleLateClaims}, which retries, removes it. Thread-safe.
 */
public final class LockedCoupons {

  private final CouponRepository coupons;
  private final ConcurrentHashMap<CouponId, Partition> known = new ConcurrentHashMap<>();

  public LockedCoupons(CouponRepository coupons) {
    this.coupons = coupons;
  }

  void add(Partition partition, CouponId couponId) {
    known.put(couponId, partition);
  }

  boolean contains(CouponId couponId) {
    return known.containsKey(couponId);
  }

  /** The locked coupons of the partition; a copy. */
  Set<CouponId> of(Partition partition) {
    var ofPartition = new HashSet<CouponId>();
    known.forEach((couponId, itsPartition) -> {
      if (itsPartition.equals(partition)) {
        ofPartition.add(couponId);
      }
    });
    return ofPartition;
  }

  void remove(Set<CouponId> couponIds) {
    couponIds.forEach(known::remove);
  }

  /**
   * Those of the coupons whose partition is locked at this moment. Without any, no query is sent.
   */
  Set<CouponId> lockedNow(Set<CouponId> couponIds) {
    return couponIds.isEmpty() ? Set.of() : coupons.lockedAmong(couponIds);
  }
}
