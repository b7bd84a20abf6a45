package io.firstcome.domain.usercoupon;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.regex.Pattern;

/**
 * Where a user coupon is in its owner's list: newest first, and those of one time by id. It stays
 * there for its whole life.
 *
 * @param issuedAt in microseconds, which is what databases keep
 */
public record UserCouponPlace(Instant issuedAt, UserCouponId id)
    implements Comparable<UserCouponPlace> {

  private static final Comparator<UserCouponPlace> NEWEST_FIRST =
      Comparator.comparing(UserCouponPlace::issuedAt)
          .reversed()
          .thenComparing(place -> place.id().toString());

  /** Seventeen digits reach the year 5138, which any database can compare with. */
  private static final Pattern MICROS = Pattern.compile("[0-9]{1,17}");

  public UserCouponPlace {
    issuedAt = issuedAt.truncatedTo(ChronoUnit.MICROS);
  }

  public static UserCouponPlace of(UserCoupon userCoupon) {
    return new UserCouponPlace(userCoupon.issuedAt(), userCoupon.id());
  }

  /**
   * The place that the text spells, as {@link #toString()} does.
   *
   * @throws IllegalArgumentException if it spells none
   */
  public static UserCouponPlace parse(String text) {
    int colon = text.indexOf(':');
    if (colon < 0 || !MICROS.matcher(text.substring(0, colon)).matches()) {
      throw new IllegalArgumentException("place must be <microseconds>:<userCouponId>");
    }
    long micros = Long.parseLong(text.substring(0, colon));
    return new UserCouponPlace(
        Instant.EPOCH.plus(micros, ChronoUnit.MICROS),
        UserCouponId.parse(text.substring(colon + 1)));
  }

  @Override
  public int compareTo(UserCouponPlace other) {
    return NEWEST_FIRST.compare(this, other);
  }

  /** Microseconds since 1970, a colon, and the id. */
  @Override
  public String toString() {
    return ChronoUnit.MICROS.between(Instant.EPOCH, issuedAt) + ":" + id;
  }
}
