package io.firstcome.bootstrap.rest.request;

import io.firstcome.bootstrap.problem.Problem;
import io.firstcome.domain.coupon.CouponId;

/** Reads coupon ids from paths. */
public final class CouponIds {

  private CouponIds() {}

  /** A text that is not a valid id is answered like an unknown id. */
  public static CouponId parse(String path) {
    try {
      return new CouponId(path);
    } catch (IllegalArgumentException e) {
      throw Problem.unknownCoupon();
    }
  }
}
