package io.firstcome.domain.coupon;

/** The id of a coupon: a slug such as {@code WELCOME2025}, 2 to 40 of {@code A-Z 0-9 -}. */
public record CouponId(String value) implements Comparable<CouponId> {

  /** The beginning of the ids of clones that are issued in rehearsals. No operator defines one. */
  public static final String REHEARSAL_PREFIX = "REHEARSAL-";

  public CouponId {
    Slug.require("couponId", value);
  }

  /** Whether it is that of a clone that is issued to synthetic users. */
  public boolean isOfRehearsal() {
    return value.startsWith(REHEARSAL_PREFIX);
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
