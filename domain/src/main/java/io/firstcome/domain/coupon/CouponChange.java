package io.firstcome.domain.coupon;

/** What comes of an operator's wish to change a coupon. */
public sealed interface CouponChange {

  /** The coupon as it is to be, of the next revision. */
  record Changed(Coupon coupon) implements CouponChange {}

  /** It is so already. */
  record AlreadySo() implements CouponChange {}

  /** It cannot be so. */
  record Refused(Reason reason) implements CouponChange {

    /** Why a coupon cannot be changed. */
    public enum Reason {
      /** A closed coupon stays as it is. */
      CLOSED_FOR_GOOD,
      /** The quantity only ever grows. */
      FEWER_PIECES
    }
  }
}
