package io.firstcome.domain.usercoupon;

import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.UserId;
import java.time.Instant;

/** A slot that belongs to a user, in the database. One type for each state. */
public sealed interface UserCoupon {

  UserCouponIdentity identity();

  UserId userId();

  Slot slot();

  /** When the stock backend accepted the claim. */
  Instant issuedAt();

  default CouponId couponId() {
    return identity().id().couponId();
  }

  /** It can be used. */
  record Issued(UserCouponIdentity identity, UserId userId, Slot slot, Instant issuedAt)
      implements UserCoupon {}
}
