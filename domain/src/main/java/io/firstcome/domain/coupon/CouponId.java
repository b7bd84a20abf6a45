package io.firstcome.domain.coupon;

import java.util.regex.Pattern;

/** The id of a coupon: a slug such as {@code WELCOME2025}, 2 to 40 of {@code A-Z 0-9 -}. */
public record CouponId(String value) implements Comparable<CouponId> {

  private static final Pattern SLUG = Pattern.compile("[A-Z0-9][A-Z0-9-]{1,39}");

  public CouponId {
    if (!SLUG.matcher(value).matches()) {
      throw new IllegalArgumentException(
          "couponId must be 2 to 40 of A-Z, 0-9 and '-', not starting with '-': '" + value + "'");
    }
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
