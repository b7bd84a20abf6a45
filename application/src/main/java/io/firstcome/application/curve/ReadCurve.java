package io.firstcome.application.curve;

import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.curve.AnswerCounts;
import io.firstcome.domain.curve.ClaimTally.Length;
import io.firstcome.domain.curve.CurvePoint;
import io.firstcome.domain.latency.LatencyHistogram;
import io.firstcome.domain.port.CouponRepository;
import io.firstcome.domain.port.IssuanceCurves;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Reads how a coupon was claimed and issued over time. */
public final class ReadCurve {

  /** The most intervals of a curve, whether they have a point or not. */
  public static final int MOST_INTERVALS = 7_200;

  /** Those that are chosen if none is asked for, so that a curve has at most an hour of seconds. */
  private static final List<Duration> USUAL_INTERVALS =
      List.of(
          Duration.ofSeconds(1),
          Duration.ofSeconds(10),
          Duration.ofMinutes(1),
          Duration.ofMinutes(10),
          Duration.ofHours(1),
          Duration.ofDays(1));

  private static final int USUAL_MOST = 3_600;

  private final CouponRepository coupons;
  private final IssuanceCurves curves;
  private final InstantSource clock;

  public ReadCurve(CouponRepository coupons, IssuanceCurves curves, InstantSource clock) {
    this.coupons = coupons;
    this.curves = curves;
    this.clock = clock;
  }

  /**
   * What is asked for.
   *
   * @param from begin of the curve, or null for the first time at which the coupon could be claimed
   * @param to end of the curve, or null for now
   * @param interval of each point, whole seconds from one second to one day; or null for one that
   *     suits the length of the curve
   */
  public record Question(
      @Nullable Instant from, @Nullable Instant to, @Nullable Duration interval) {

    public static final Question ALL = new Question(null, null, null);

    private static final Duration LONGEST = Duration.ofDays(1);

    public Question {
      if (interval != null) {
        requireInterval(interval);
      }
    }

    /**
     * Checks an interval.
     *
     * @throws IllegalArgumentException if no curve can have it
     */
    public static void requireInterval(Duration interval) {
      boolean isWhole = interval.equals(interval.truncatedTo(ChronoUnit.SECONDS));
      if (!isWhole || !interval.isPositive() || interval.compareTo(LONGEST) > 0) {
        throw new IllegalArgumentException(
            "not whole seconds from PT1S to PT24H: '%s'".formatted(interval));
      }
    }
  }

  /** The answer. */
  public sealed interface Answer {

    /**
     * The curve.
     *
     * @param from begin of the first interval, a multiple of {@code interval} since 1970
     * @param to exclusive
     * @param points by time; intervals in which nothing happened have none
     * @param latencies of all answers in it
     */
    record Curve(
        Instant from,
        Instant to,
        Duration interval,
        List<CurvePoint> points,
        LatencyHistogram latencies)
        implements Answer {

      public Curve {
        points = List.copyOf(points);
      }
    }

    /** The curve would have more than {@link #MOST_INTERVALS}. */
    record TooLong() implements Answer {}
  }

  /**
   * The curve of a coupon, or empty if there is no such coupon.
   *
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if the database is not reachable
   */
  public Optional<Answer> read(CouponId couponId, Question question) {
    return coupons
        .findStored(couponId)
        .map(coupon -> {
          var now = clock.instant();
          var to = question.to() == null ? now : question.to();
          var from = question.from() == null ? coupon.claimableFrom() : question.from();
          return read(couponId, from, to, question.interval());
        });
  }

  /**
   * The answers to claims of the last seconds, by second.
   *
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if the database is not reachable
   */
  public SortedMap<Instant, AnswerCounts> recentAnswers(CouponId couponId, Duration length) {
    var now = clock.instant();
    return new TreeMap<>(
        curves.answers(couponId, now.minus(length), now, USUAL_INTERVALS.getFirst()));
  }

  /**
   * All answers to claims of a coupon since it could be claimed.
   *
   * @param latencies of the same answers
   */
  public record Totals(AnswerCounts answers, LatencyHistogram latencies) {}

  /**
   * The totals of a coupon; empty if there is no such coupon.
   *
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if the database is not reachable
   */
  public Optional<Totals> totals(CouponId couponId) {
    return coupons
        .findStored(couponId)
        .map(coupon -> {
          var begin = coupon.claimableFrom();
          var from = (isBySecond(begin) ? Length.SECOND : Length.MINUTE).begin(begin);
          var to = clock.instant();
          var answers = curves.answers(couponId, from, to, USUAL_INTERVALS.getLast());
          return new Totals(
              answers.values().stream().reduce(AnswerCounts.NONE, AnswerCounts::plus),
              curves.latencies(couponId, from, to));
        });
  }

  /**
   * The second in which the last slot of the coupon's quantity was issued for the first time; empty
   * if a slot was never issued, or there is no such coupon. It reads all rows of the coupon.
   *
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if the database is not reachable
   */
  public Optional<Instant> allIssuedAt(CouponId couponId) {
    return coupons
        .find(couponId)
        .flatMap(coupon -> curves.allIssuedAt(couponId, coupon.definition().totalQuantity()))
        .map(at -> at.truncatedTo(ChronoUnit.SECONDS));
  }

  private Answer read(CouponId couponId, Instant from, Instant to, @Nullable Duration interval) {
    var used = interval == null ? usualInterval(from, to) : interval;
    var begin = begin(from, used);
    if (!begin.isBefore(to)) {
      return new Answer.Curve(begin, begin, used, List.of(), LatencyHistogram.NONE);
    }
    if (Duration.between(begin, to).compareTo(used.multipliedBy(MOST_INTERVALS)) > 0) {
      return new Answer.TooLong();
    }
    return new Answer.Curve(
        begin, to, used, points(couponId, begin, to, used), curves.latencies(couponId, begin, to));
  }

  private List<CurvePoint> points(CouponId couponId, Instant from, Instant to, Duration interval) {
    var issued = curves.issued(couponId, from, to, interval);
    var answers = curves.answers(couponId, from, to, interval);
    var begins = new TreeSet<>(issued.keySet());
    begins.addAll(answers.keySet());
    return begins.stream()
        .map(at ->
            new CurvePoint(
                at, issued.getOrDefault(at, 0L), answers.getOrDefault(at, AnswerCounts.NONE)))
        .toList();
  }

  private Duration usualInterval(Instant from, Instant to) {
    var length = Duration.between(from, to);
    boolean bySecond = isBySecond(from);
    return USUAL_INTERVALS.stream()
        .filter(interval -> bySecond || interval.toSeconds() >= Length.MINUTE.seconds())
        .filter(interval -> length.compareTo(interval.multipliedBy(USUAL_MOST)) <= 0)
        .findFirst()
        .orElse(USUAL_INTERVALS.getLast());
  }

  /** Whether the answers of that time are still counted by second, and not by minute. */
  private boolean isBySecond(Instant time) {
    return !time.isBefore(clock.instant().minus(CountClaims.KEPT_BY_SECOND));
  }

  private static Instant begin(Instant time, Duration interval) {
    long second = time.getEpochSecond();
    return Instant.ofEpochSecond(second - Math.floorMod(second, interval.toSeconds()));
  }
}
