package io.firstcome.domain.retention;

import io.firstcome.domain.coupon.CouponId;
import java.util.List;

/** Rows of one coupon that are exported, and then removed, together. */
public sealed interface ExportPart {

  CouponId couponId();

  /**
   * User coupons.
   *
   * @param items at least one; all of them live, or none, in the order of slots and generations
   */
  record UserCoupons(CouponId couponId, List<ExportedUserCoupon> items) implements ExportPart {

    public UserCoupons {
      items = List.copyOf(items);
    }
  }

  /**
   * Claims that were accepted and rejected later.
   *
   * @param items at least one, in the order of users
   */
  record RejectedClaims(CouponId couponId, List<RejectedClaim> items) implements ExportPart {

    public RejectedClaims {
      items = List.copyOf(items);
    }
  }
}
