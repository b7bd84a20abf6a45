package io.firstcome.adapter.persistence.recording;

import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.handoff.LateClaim;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.usercoupon.AcceptedClaim;
import java.util.Comparator;

/** The coupon and user of a row: no two user coupons and no two late claims have the same owner. */
record Owner(CouponId couponId, UserId userId) {

  /** The order in which all writers insert, so that no two of them deadlock. */
  static final Comparator<Owner> ORDER =
      Comparator.comparing(Owner::couponId).thenComparing(Owner::userId);

  static Owner of(AcceptedClaim claim) {
    return new Owner(claim.couponId(), claim.userId());
  }

  static Owner of(LateClaim claim) {
    return new Owner(claim.couponId(), claim.userId());
  }
}
