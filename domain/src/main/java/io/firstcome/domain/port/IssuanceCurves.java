package io.firstcome.domain.port;

import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.curve.AnswerCounts;
import io.firstcome.domain.curve.ClaimTally;
import io.firstcome.domain.latency.LatencyHistogram;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How each coupon was claimed and issued over time. Failures are {@link
 * DatabaseUnavailableException}s.
 *
 * <p>The issued user coupons are counted from their rows, so they are exact and cannot be lost.
 * Answers to claims are counted by instances, and those of an instance that is lost may be missing.
 */
public interface IssuanceCurves {

  /**
   * Stores what this instance has counted. A tally of the same coupon, begin and length that it
   * stored before stays as it is, so a call may be repeated. Coupons that are unknown, or whose
   * user coupons were removed for good, are ignored.
   */
  void add(List<ClaimTally> tallies);

  /**
   * The answers to claims of a coupon, by the begin of each interval that has any. Counts by minute
   * are all in the interval that the minute begins in.
   *
   * @param from inclusive
   * @param to exclusive
   * @param interval at least a second; the first one begins in 1970
   */
  Map<Instant, AnswerCounts> answers(
      CouponId couponId, Instant from, Instant to, Duration interval);

  /**
   * The latencies of the answers to claims of a coupon. Those of a minute are all at its begin.
   *
   * @param from inclusive
   * @param to exclusive
   */
  LatencyHistogram latencies(CouponId couponId, Instant from, Instant to);

  /**
   * How many user coupons were issued, by the begin of each interval that has any. It reads all
   * rows of the coupon, of which a million take about a third of a second.
   *
   * @param from inclusive
   * @param to exclusive
   * @param interval at least a second; the first one begins in 1970
   */
  Map<Instant, Long> issued(CouponId couponId, Instant from, Instant to, Duration interval);

  /**
   * When the last one of that many slots was issued for the first time; empty if fewer slots ever
   * were. It reads all rows of the coupon.
   */
  Optional<Instant> allIssuedAt(CouponId couponId, int slots);

  /**
   * Replaces the oldest tallies by second by tallies by minute.
   *
   * @param before only tallies that begin earlier, by the clock of the caller
   * @param max number of tallies that are replaced
   * @return how many were replaced
   */
  int merge(Instant before, int max);
}
