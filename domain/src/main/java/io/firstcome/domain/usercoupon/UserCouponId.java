package io.firstcome.domain.usercoupon;

import io.firstcome.domain.coupon.CouponId;

/**
 * The id of one user coupon: {@code <couponId>.<tag>}. It reveals no slot, user or code.
 *
 * @param tag {@link CouponCode#tag}: 80 bits in 16 characters of Crockford's base 32. No two user
 *     coupons, of any coupons, have the same tag
 */
public record UserCouponId(CouponId couponId, String tag) {

  public UserCouponId {
    CrockfordBase32.requireText("tag", tag);
  }

  /**
   * Parses an id.
   *
   * @throws IllegalArgumentException if the text is not an id
   */
  public static UserCouponId parse(String text) {
    int dot = text.indexOf('.');
    if (dot < 0) {
      throw new IllegalArgumentException("userCouponId must be <couponId>.<tag>");
    }
    return new UserCouponId(new CouponId(text.substring(0, dot)), text.substring(dot + 1));
  }

  /** The id of that coupon whose tag has these {@value CrockfordBase32#BYTES} bytes. */
  public static UserCouponId ofTag(CouponId couponId, byte[] tag) {
    return new UserCouponId(couponId, CrockfordBase32.encode(tag));
  }

  /** The {@value CrockfordBase32#BYTES} bytes of the tag. */
  public byte[] tagBytes() {
    return CrockfordBase32.decode(tag);
  }

  @Override
  public String toString() {
    return couponId + "." + tag;
  }
}
