package io.firstcome.domain.usercoupon;

/**
 * The unguessable text of one user coupon, which a shop enters at a till: 80 bits in 16 characters.
 */
public record CouponCode(String value) {

  public CouponCode {
    CrockfordBase32.requireText("code", value);
  }

  /**
   * Parses a typed code. Lower case and separators are accepted; O is read as 0, I and L as 1.
   *
   * @throws IllegalArgumentException if it is not a code
   * @see <a href="https://www.crockford.com/base32.html">Douglas Crockford, Base 32</a>
   */
  public static CouponCode parse(String typed) {
    return new CouponCode(CrockfordBase32.normalized(typed));
  }

  /** Hidden, so that no log line contains a code. Use {@link #value()} to show it. */
  @Override
  public String toString() {
    return "CouponCode[…]";
  }
}
