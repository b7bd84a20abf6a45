package io.firstcome.domain.usercoupon;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.regex.Pattern;

/**
 * The position of a user coupon in its owner's list: newest first, and those of the same time by
 * id. It never changes.
 *
 * @param issuedAt in microseconds, the precision of databases
 */
public record UserCouponCursor(Instant issuedAt, UserCouponId id)
    implements Comparable<UserCouponCursor> {

  private static final Comparator<UserCouponCursor> NEWEST_FIRST =
      Comparator.comparing(UserCouponCursor::issuedAt)
          .reversed()
          .thenComparing(cursor -> cursor.id().toString());

  /** Seventeen digits reach the year 5138, which any database can compare with. */
  private static final Pattern MICROS = Pattern.compile("[0-9]{1,17}");

  public UserCouponCursor {
    issuedAt = issuedAt.truncatedTo(ChronoUnit.MICROS);
  }

  public static UserCouponCursor of(UserCoupon userCoupon) {
    return new UserCouponCursor(userCoupon.issuedAt(), userCoupon.id());
  }

  /**
   * Parses a position in the format of {@link #toString()}.
   *
   * @throws IllegalArgumentException if the text has another format
   */
  public static UserCouponCursor parse(String text) {
    int colon = text.indexOf(':');
    if (colon < 0 || !MICROS.matcher(text.substring(0, colon)).matches()) {
      throw new IllegalArgumentException("cursor must be <microseconds>:<userCouponId>");
    }
    long micros = Long.parseLong(text.substring(0, colon));
    return new UserCouponCursor(
        Instant.EPOCH.plus(micros, ChronoUnit.MICROS),
        UserCouponId.parse(text.substring(colon + 1)));
  }

  @Override
  public int compareTo(UserCouponCursor other) {
    return NEWEST_FIRST.compare(this, other);
  }

  /** Microseconds since 1970, a colon, and the id. */
  @Override
  public String toString() {
    return ChronoUnit.MICROS.between(Instant.EPOCH, issuedAt) + ":" + id;
  }
}
