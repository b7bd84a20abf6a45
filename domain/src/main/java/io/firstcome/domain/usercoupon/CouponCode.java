package io.firstcome.domain.usercoupon;

/**
 * The unguessable text of one user coupon, which a shop takes at a till: 80 bits in 16 characters.
 */
public record CouponCode(String value) {

  public CouponCode {
    CrockfordBase32.requireText("code", value);
  }

  /**
   * The code that somebody typed, who may write it in small letters and in groups, and mistake an O
   * for a 0 or an I or L for a 1.
   *
   * @throws IllegalArgumentException if it cannot be one
   * @see <a href="https://www.crockford.com/base32.html">Douglas Crockford, Base 32</a>
   */
  public static CouponCode parse(String typed) {
    return new CouponCode(CrockfordBase32.normalized(typed));
  }

  /** Hidden, so that a code cannot slip into a log line. Use {@link #value()} to show it. */
  @Override
  public String toString() {
    return "CouponCode[…]";
  }
}
