package io.firstcome.bootstrap.rest;

import io.firstcome.domain.coupon.CouponId;

/** Reads coupon ids from paths. */
final class CouponIds {

  private CouponIds() {}

  /** A text that cannot be a coupon's id names no coupon, like one that could and does not. */
  static CouponId parse(String path) {
    try {
      return new CouponId(path);
    } catch (IllegalArgumentException e) {
      throw Problem.unknownCoupon();
    }
  }
}
