package io.firstcome.application;

import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.Partition;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The coupons whose rows somebody else holds locked in the database, as far as this instance knows:
 * {@link RecordAcceptedClaims} adds one when it could not record its claims, and {@link
 * SettleLateClaims}, which goes on trying, removes it. For any number of threads.
 */
public final class LockedCoupons {

  private final ConcurrentHashMap<CouponId, Partition> locked = new ConcurrentHashMap<>();

  void add(Partition partition, CouponId couponId) {
    locked.put(couponId, partition);
  }

  boolean contains(CouponId couponId) {
    return locked.containsKey(couponId);
  }

  /** Those of the partition; a copy. */
  Set<CouponId> of(Partition partition) {
    var ofPartition = new HashSet<CouponId>();
    locked.forEach((couponId, itsPartition) -> {
      if (itsPartition.equals(partition)) {
        ofPartition.add(couponId);
      }
    });
    return ofPartition;
  }

  void removeAll(Collection<CouponId> coupons) {
    coupons.forEach(locked::remove);
  }
}
