package io.firstcome.domain.curve;

import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.latency.LatencyHistogram;
import java.time.Instant;

/**
 * The answers that one instance gave to claims of one coupon in an interval of time.
 *
 * @param from the begin of the interval, a multiple of its length since 1970
 * @param latencies of the answers
 */
public record ClaimTally(
    CouponId couponId,
    Instant from,
    Length length,
    AnswerCounts answers,
    LatencyHistogram latencies) {

  public ClaimTally {
    if (!length.begin(from).equals(from)) {
      throw new IllegalArgumentException("no begin of a %s: %s".formatted(length, from));
    }
  }

  /** The lengths of intervals. */
  public enum Length {
    SECOND(1),
    MINUTE(60);

    private final int seconds;

    Length(int seconds) {
      this.seconds = seconds;
    }

    public int seconds() {
      return seconds;
    }

    /** The begin of the interval that the time is in. */
    public Instant begin(Instant time) {
      long second = time.getEpochSecond();
      return Instant.ofEpochSecond(second - Math.floorMod(second, seconds));
    }
  }
}
