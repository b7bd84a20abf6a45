package io.firstcome.domain.usercoupon;

/**
 * The unguessable text of one user coupon, which a shop takes at a till: 80 bits in 16 characters.
 */
public record CouponCode(String value) {

  public CouponCode {
    CrockfordBase32.requireText("code", value);
  }

  /** Hidden, so that a code cannot slip into a log line. Use {@link #value()} to show it. */
  @Override
  public String toString() {
    return "CouponCode[…]";
  }
}
