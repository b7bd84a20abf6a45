package io.firstcome.contracts.database;

import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.issuance.Epoch;
import io.firstcome.domain.port.CouponRepository;
import io.firstcome.domain.port.DeadLetters;
import io.firstcome.domain.port.LateClaimRepository;
import io.firstcome.domain.port.PartitionEpochs;
import io.firstcome.domain.port.UserCouponRepository;

/** The ports of one database, over the same data. */
public record DatabasePorts(
    CouponRepository coupons,
    UserCouponRepository userCoupons,
    LateClaimRepository lateClaims,
    DeadLetters deadLetters,
    PartitionEpochs epochs) {

  /** Defines the coupon and brings its partition into the epoch. */
  public Coupon define(Coupon coupon, long epoch) {
    epochs.raise(coupon.partition(), new Epoch(epoch));
    coupons.addIfAbsent(coupon);
    return coupon;
  }
}
