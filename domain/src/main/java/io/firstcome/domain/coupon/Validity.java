package io.firstcome.domain.coupon;

import java.time.Duration;
import java.time.Instant;

/** How long an issued coupon can be used. */
public sealed interface Validity {

  /** The first instant at which a coupon accepted at {@code acceptedAt} can no longer be used. */
  Instant endsAt(Instant acceptedAt);

  /** Until a fixed date, the same for all users. */
  record Until(Instant until) implements Validity {

    @Override
    public Instant endsAt(Instant acceptedAt) {
      return until;
    }
  }

  /** For {@code days} times 24 hours from acceptance, without a calendar or time zone. */
  record Days(int days) implements Validity {

    private static final int MAX_DAYS = 3_650;

    public Days {
      if (days < 1 || days > MAX_DAYS) {
        throw new IllegalArgumentException("validity.days must be 1 to " + MAX_DAYS + ": " + days);
      }
    }

    @Override
    public Instant endsAt(Instant acceptedAt) {
      return acceptedAt.plus(Duration.ofDays(days));
    }
  }
}
