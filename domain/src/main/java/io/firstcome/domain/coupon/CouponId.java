package io.firstcome.domain.coupon;

/** The id of a coupon: a slug such as {@code WELCOME2025}, 2 to 40 of {@code A-Z 0-9 -}. */
public record CouponId(String value) implements Comparable<CouponId> {

  public CouponId {
    Slug.require("couponId", value);
  }

  @Override
  public int compareTo(CouponId other) {
    return value.compareTo(other.value);
  }

  @Override
  public String toString() {
    return value;
  }
}
